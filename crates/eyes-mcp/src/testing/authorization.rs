//! A server behind OAuth, and its authorization server, both on one port of loopback.

use std::{
    collections::BTreeMap,
    fmt, io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::AbortHandle,
};
use url::Url;

/// Bytes of one request that are read.
const MAX_REQUEST_BYTES: usize = 256 << 10;

/// One request as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenRequest {
    /// Method and path, such as `POST /token`.
    pub route: String,
    /// The parameters of the address.
    pub query: BTreeMap<String, String>,
    /// The headers, names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: String,
}

impl SeenRequest {
    /// Returns the body's form parameters.
    pub fn form(&self) -> BTreeMap<String, String> {
        pairs(&self.body)
    }
}

/// What is answered to one request.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// Headers besides length and type.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
    /// Answers only after this was told.
    pub after: Option<Arc<Notify>>,
}

impl Answer {
    /// Answers with JSON.
    pub fn json(status: u16, body: &Value) -> Self {
        Self {
            status,
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: body.to_string(),
            after: None,
        }
    }

    /// Answers with a status alone.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Waits before answering.
    #[must_use]
    pub fn after(mut self, told: &Arc<Notify>) -> Self {
        self.after = Some(Arc::clone(told));
        self
    }
}

type Route = Arc<dyn Fn(&SeenRequest) -> Answer + Send + Sync>;

/// A server behind OAuth (`/mcp`), its metadata, and an authorization server that agrees to everything.
///
/// Every route can be answered otherwise with [`on`](Self::on). Tokens are `token-1`, `token-2` and so on; refresh
/// tokens rotate.
pub struct LoopbackAuthorization {
    origin: String,
    shared: Arc<Shared>,
    task: AbortHandle,
}

#[derive(Default)]
struct Shared {
    seen: Mutex<Vec<SeenRequest>>,
    routes: Mutex<BTreeMap<String, Route>>,
    issued: Mutex<Issued>,
}

#[derive(Default)]
struct Issued {
    tokens: u32,
    refresh: Option<String>,
    challenge: Option<String>,
}

impl fmt::Debug for LoopbackAuthorization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LoopbackAuthorization({})", self.origin)
    }
}

impl Drop for LoopbackAuthorization {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl LoopbackAuthorization {
    /// Starts on a free port; tokens hold for an hour and come without refresh tokens.
    pub async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let origin = format!("http://{}", listener.local_addr()?);
        let shared = Arc::new(Shared::default());
        let serving = Arc::clone(&shared);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&serving)));
            }
        });
        let server = Self {
            origin,
            shared,
            task: task.abort_handle(),
        };
        server.publish();
        Ok(server)
    }

    /// Returns the address of the protected server.
    ///
    /// # Panics
    ///
    /// Never: the origin is an address.
    pub fn url(&self) -> Url {
        Url::parse(&self.at("/mcp")).expect("an origin and a path are an address")
    }

    /// Returns the address of a path.
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Answers a route, such as `GET /mcp`, from now on in this way.
    pub fn on(&self, route: &str, answer: impl Fn(&SeenRequest) -> Answer + Send + Sync + 'static) {
        lock(&self.shared.routes).insert(route.to_owned(), Arc::new(answer));
    }

    /// Changes the authorization server's metadata; a null takes the member away.
    pub fn metadata(&self, change: &Value) {
        let document = changed(self.server_metadata(), change);
        self.on("GET /.well-known/oauth-authorization-server", move |_| {
            Answer::json(200, &document)
        });
    }

    /// Changes the server's metadata; a null takes the member away.
    pub fn resource(&self, change: &Value) {
        let document = changed(self.resource_metadata(), change);
        let place = "GET /.well-known/oauth-protected-resource/mcp";
        self.on(place, move |_| Answer::json(200, &document));
    }

    /// Gives tokens with these members besides `access_token`; `refresh_token` is numbered where it is `true`.
    pub fn tokens(&self, members: Value) {
        let shared = Arc::clone(&self.shared);
        self.on("POST /token", move |request| {
            issue(&shared, request, &members)
        });
    }

    /// Returns the requests so far.
    pub fn seen(&self) -> Vec<SeenRequest> {
        lock(&self.shared.seen).clone()
    }

    /// Returns the requests of one route so far.
    pub fn seen_at(&self, route: &str) -> Vec<SeenRequest> {
        let mut seen = self.seen();
        seen.retain(|request| request.route == route);
        seen
    }

    fn server_metadata(&self) -> Value {
        json!({
            "issuer": self.origin,
            "authorization_endpoint": self.at("/authorize"),
            "token_endpoint": self.at("/token"),
            "registration_endpoint": self.at("/register"),
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": true,
        })
    }

    fn resource_metadata(&self) -> Value {
        json!({ "resource": self.at("/mcp"), "authorization_servers": [self.origin] })
    }

    fn publish(&self) {
        let place = self.at("/.well-known/oauth-protected-resource/mcp");
        self.on("GET /mcp", move |_| {
            let challenge = format!("Bearer resource_metadata=\"{place}\"");
            Answer::status(401).header("www-authenticate", challenge)
        });
        self.metadata(&json!({}));
        self.resource(&json!({}));
        self.tokens(json!({ "token_type": "Bearer", "expires_in": 3600 }));
        self.on("POST /register", |request| {
            let asked: Value = serde_json::from_str(&request.body).unwrap_or_default();
            Answer::json(
                201,
                &json!({ "client_id": "registered-1", "redirect_uris": asked["redirect_uris"] }),
            )
        });
        let shared = Arc::clone(&self.shared);
        let origin = self.origin.clone();
        self.on("GET /authorize", move |request| {
            agree(&shared, &origin, request)
        });
    }
}

/// Sends the browser back with a code.
fn agree(shared: &Shared, origin: &str, request: &SeenRequest) -> Answer {
    lock(&shared.issued).challenge = request.query.get("code_challenge").cloned();
    let asked = |name: &str| request.query.get(name).cloned().unwrap_or_default();
    let Ok(mut back) = Url::parse(&asked("redirect_uri")) else {
        return Answer::status(400);
    };
    back.query_pairs_mut()
        .append_pair("code", "code-1")
        .append_pair("state", &asked("state"))
        .append_pair("iss", origin);
    Answer::status(302).header("location", back.as_str())
}

/// Gives a token, after the verifier or the refresh token was checked.
fn issue(shared: &Shared, request: &SeenRequest, members: &Value) -> Answer {
    let refused = |error: &str| Answer::json(400, &json!({ "error": error }));
    let form = request.form();
    let given = |name: &str| form.get(name).map_or("", String::as_str);
    let mut issued = lock(&shared.issued);
    match given("grant_type") {
        "authorization_code" => {
            let digest = Sha256::digest(given("code_verifier"));
            if issued.challenge.take() != Some(URL_SAFE_NO_PAD.encode(digest)) {
                return refused("invalid_grant");
            }
        }
        "refresh_token" => {
            if issued.refresh.as_deref() != Some(given("refresh_token")) {
                return refused("invalid_grant");
            }
        }
        "client_credentials" => {}
        _ => return refused("unsupported_grant_type"),
    }
    issued.tokens += 1;
    let number = issued.tokens;
    let mut body = changed(
        members.clone(),
        &json!({ "access_token": format!("token-{number}") }),
    );
    if members["refresh_token"] == json!(true) {
        let refresh = format!("refresh-{number}");
        body["refresh_token"] = json!(refresh);
        issued.refresh = Some(refresh);
    }
    Answer::json(200, &body)
}

fn changed(mut document: Value, change: &Value) -> Value {
    for (name, value) in change.as_object().into_iter().flatten() {
        if let Some(members) = document.as_object_mut() {
            if value.is_null() {
                members.shift_remove(name);
            } else {
                members.insert(name.clone(), value.clone());
            }
        }
    }
    document
}

async fn serve(mut stream: TcpStream, shared: Arc<Shared>) {
    let Some(request) = read(&mut stream).await else {
        return;
    };
    lock(&shared.seen).push(request.clone());
    let route = lock(&shared.routes).get(&request.route).cloned();
    let answer = route.map_or_else(|| Answer::status(404), |route| route(&request));
    if let Some(after) = &answer.after {
        after.notified().await;
    }
    let headers: String = answer
        .headers
        .iter()
        .flat_map(|(name, value)| [name, ": ", value, "\r\n"])
        .collect();
    let head = format!(
        "HTTP/1.1 {} Answer\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n{}",
        answer.status,
        answer.body.len(),
        answer.body
    );
    // A client that went away has what it wanted.
    drop(stream.write_all(head.as_bytes()).await);
    drop(stream.shutdown().await);
}

async fn read(stream: &mut TcpStream) -> Option<SeenRequest> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        if let Some(request) = parse(&bytes) {
            return Some(request);
        }
        let read = stream.read(&mut piece).await.ok()?;
        if read == 0 || bytes.len() + read > MAX_REQUEST_BYTES {
            return None;
        }
        bytes.extend_from_slice(&piece[..read]);
    }
}

fn parse(bytes: &[u8]) -> Option<SeenRequest> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?, first.next()?);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers
        .get("content-length")
        .map_or(Some(0), |text| text.parse().ok())?;
    (body.len() >= length).then(|| SeenRequest {
        route: format!("{method} {path}"),
        query: pairs(query),
        headers,
        body: body.to_owned(),
    })
}

fn pairs(text: &str) -> BTreeMap<String, String> {
    url::form_urlencoded::parse(text.as_bytes())
        .into_owned()
        .collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
