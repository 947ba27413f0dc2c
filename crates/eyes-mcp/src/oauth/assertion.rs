//! Signed assertions of a client (RFC 7523, section 3; `private_key_jwt` of `OpenID` Connect Core 1.0, section 9).

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    rand::SystemRandom,
    signature::{self, EcdsaKeyPair, RsaEncoding, RsaKeyPair},
};
use rustls::pki_types::{PrivateKeyDer, pem::PemObject as _};
use serde_json::json;

use super::tokens::millis;
use crate::{
    codes,
    error::McpError,
    limits::ASSERTION_LIFETIME,
    ports::{Clock, RandomSource},
};

/// A private key that signs assertions; `Debug` shows its algorithm only.
pub(super) struct SigningKey {
    algorithm: &'static str,
    key: Key,
}

enum Key {
    Rsa(RsaKeyPair, &'static dyn RsaEncoding),
    Ecdsa(EcdsaKeyPair),
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({})", self.algorithm)
    }
}

impl SigningKey {
    /// Reads a key from PEM: RSA in PKCS#8 or PKCS#1, P-256 and P-384 in PKCS#8.
    ///
    /// Without an algorithm the kind of key decides: `RS256`, `ES256` or `ES384`.
    /// Errors: `MCP_OAUTH_CREDENTIAL_INVALID`.
    pub(super) fn from_pem(pem: &str, algorithm: Option<&str>) -> Result<Self, McpError> {
        let der = PrivateKeyDer::from_pem_slice(pem.as_bytes())
            .map_err(|_| invalid("the private key is no PEM of a private key"))?;
        match algorithm {
            Some("RS256") => Self::rsa(&der, "RS256", &signature::RSA_PKCS1_SHA256),
            Some("RS384") => Self::rsa(&der, "RS384", &signature::RSA_PKCS1_SHA384),
            Some("RS512") => Self::rsa(&der, "RS512", &signature::RSA_PKCS1_SHA512),
            Some("ES256") => Self::ecdsa(&der, "ES256"),
            Some("ES384") => Self::ecdsa(&der, "ES384"),
            Some(other) => Err(invalid(&format!(
                "{:?} is no algorithm of RS256, RS384, RS512, ES256 and ES384",
                other.chars().take(16).collect::<String>()
            ))),
            None => Self::ecdsa(&der, "ES256")
                .or_else(|_| Self::ecdsa(&der, "ES384"))
                .or_else(|_| Self::rsa(&der, "RS256", &signature::RSA_PKCS1_SHA256)),
        }
    }

    fn rsa(
        der: &PrivateKeyDer<'_>,
        algorithm: &'static str,
        encoding: &'static dyn RsaEncoding,
    ) -> Result<Self, McpError> {
        let pair = match der {
            PrivateKeyDer::Pkcs8(der) => RsaKeyPair::from_pkcs8(der.secret_pkcs8_der()),
            PrivateKeyDer::Pkcs1(der) => RsaKeyPair::from_der(der.secret_pkcs1_der()),
            _ => return Err(misfit(algorithm)),
        };
        let pair = pair.map_err(|_| misfit(algorithm))?;
        Ok(Self {
            algorithm,
            key: Key::Rsa(pair, encoding),
        })
    }

    fn ecdsa(der: &PrivateKeyDer<'_>, algorithm: &'static str) -> Result<Self, McpError> {
        let PrivateKeyDer::Pkcs8(der) = der else {
            return Err(misfit(algorithm));
        };
        let curve = if algorithm == "ES256" {
            &signature::ECDSA_P256_SHA256_FIXED_SIGNING
        } else {
            &signature::ECDSA_P384_SHA384_FIXED_SIGNING
        };
        let pair = EcdsaKeyPair::from_pkcs8(curve, der.secret_pkcs8_der(), &SystemRandom::new())
            .map_err(|_| misfit(algorithm))?;
        Ok(Self {
            algorithm,
            key: Key::Ecdsa(pair),
        })
    }

    /// Signs an assertion that `client` is who it says it is, for one use by `audience`.
    pub(super) fn sign(
        &self,
        claims: &Claims<'_>,
        clock: &dyn Clock,
        random: &dyn RandomSource,
    ) -> Result<String, McpError> {
        let mut header = json!({ "alg": self.algorithm, "typ": "JWT" });
        if let Some(id) = claims.key_id {
            header["kid"] = json!(id);
        }
        let now = clock.unix_ms() / 1000;
        let body = json!({
            "iss": claims.client,
            "sub": claims.client,
            "aud": claims.audience,
            "jti": random_text(random, 2),
            "iat": now,
            "exp": now + millis(ASSERTION_LIFETIME) / 1000,
        });
        let mut text = format!(
            "{}.{}",
            URL_SAFE_NO_PAD.encode(header.to_string()),
            URL_SAFE_NO_PAD.encode(body.to_string())
        );
        let signed = self
            .signature(text.as_bytes())
            .ok_or_else(|| invalid("the private key cannot sign"))?;
        text.push('.');
        URL_SAFE_NO_PAD.encode_string(signed, &mut text);
        Ok(text)
    }

    fn signature(&self, message: &[u8]) -> Option<Vec<u8>> {
        let random = SystemRandom::new();
        match &self.key {
            Key::Rsa(pair, encoding) => {
                let mut signed = vec![0; pair.public().modulus_len()];
                pair.sign(*encoding, &random, message, &mut signed).ok()?;
                Some(signed)
            }
            Key::Ecdsa(pair) => Some(pair.sign(&random, message).ok()?.as_ref().to_vec()),
        }
    }
}

/// What an assertion says.
#[derive(Debug)]
pub(super) struct Claims<'a> {
    /// The client's id.
    pub(super) client: &'a str,
    /// The issuer of the authorization server.
    pub(super) audience: &'a str,
    /// The key's id in the client's set.
    pub(super) key_id: Option<&'a str>,
}

/// Returns `words` times 64 unpredictable bits in base64url.
pub(super) fn random_text(random: &dyn RandomSource, words: usize) -> String {
    let bytes: Vec<u8> = std::iter::repeat_with(|| random.next_u64().to_be_bytes())
        .take(words)
        .flatten()
        .collect();
    URL_SAFE_NO_PAD.encode(bytes)
}

fn invalid(message: &str) -> McpError {
    McpError::new(codes::MCP_OAUTH_CREDENTIAL_INVALID, message)
}

fn misfit(algorithm: &str) -> McpError {
    invalid(&format!("the private key cannot be used with {algorithm}"))
}
