//! Bounds of authorization.

use std::time::Duration;

/// Bytes of one answer of an authorization server; metadata and tokens take a few KiB.
pub const MAX_OAUTH_BODY_BYTES: usize = 1 << 20;
/// Redirects that one fetch of metadata follows, each within its origin.
pub const MAX_OAUTH_REDIRECTS: usize = 5;
/// Authorization servers of one resource that are tried.
pub const MAX_AUTHORIZATION_SERVERS: usize = 4;
/// Scopes of one request.
pub const MAX_SCOPES: usize = 256;
/// Bytes of a token: it must fit a header field.
pub const MAX_TOKEN_BYTES: usize = 16 << 10;
/// Characters of an authorization server's own words in a message.
pub const MAX_OAUTH_MESSAGE_CHARS: usize = 300;
/// How long one request of the authorization waits.
pub const OAUTH_REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// How long everything that gives one token may take: discovery, registration and exchange.
pub const OAUTH_ACQUIRE_TIMEOUT: Duration = Duration::from_mins(1);
/// How long before its end a token is renewed, at most; half of its life when that is shorter.
pub const TOKEN_EXPIRY_SKEW: Duration = Duration::from_secs(30);
/// How long a signed assertion of a client holds; it is used at once.
pub const ASSERTION_LIFETIME: Duration = Duration::from_mins(1);
/// How long a person has for a login.
pub const LOGIN_TIMEOUT: Duration = Duration::from_mins(5);
/// How long one connection to the login's address may take to say what it wants.
pub const LOGIN_REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of a request to the login's address: a request line with a code, and a browser's headers.
pub const MAX_LOGIN_REQUEST_BYTES: usize = 32 << 10;
/// Connections to the login's address that are looked at, so that a local program cannot keep it busy for ever.
pub const MAX_LOGIN_CONNECTIONS: usize = 64;
/// Bytes of one keyring entry: Windows stores 2,560.
pub const MAX_KEYRING_ENTRY_BYTES: usize = 2_400;
/// Entries of one login in a keyring.
pub const MAX_KEYRING_ENTRIES: usize = 32;
