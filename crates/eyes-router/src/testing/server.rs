//! An HTTP server on loopback that does what a test tells it, protocol faults included.

use std::{
    fmt,
    io::{Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// One thing that the server does on a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Sends bytes again and again until the client closes the connection.
    Flood(Vec<u8>),
    /// Sends nothing until the client closes the connection.
    UntilClosed,
    /// Closes the connection.
    Close,
}

impl Step {
    /// A whole reply with its length stated.
    pub fn reply(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Self {
        let mut bytes = head(status, headers);
        bytes.extend(format!("content-length: {}\r\n\r\n", body.len()).bytes());
        bytes.extend(body);
        Self::Send(bytes)
    }

    /// The head of a reply whose body follows in [chunks](Self::chunk).
    pub fn chunked_head(status: u16, headers: &[(&str, &str)]) -> Self {
        let mut bytes = head(status, headers);
        bytes.extend(b"transfer-encoding: chunked\r\n\r\n");
        Self::Send(bytes)
    }

    /// One chunk; an empty one ends the body.
    pub fn chunk(body: &[u8]) -> Self {
        Self::Send(framed(body))
    }

    /// The same chunk without end.
    pub fn flood_of_chunks(body: &[u8]) -> Self {
        Self::Flood(framed(body))
    }

    /// A whole event stream, in chunks of `piece` bytes.
    pub fn events(text: &str, piece: usize) -> Vec<Self> {
        let mut steps = vec![Self::chunked_head(
            200,
            &[("content-type", "text/event-stream")],
        )];
        steps.extend(text.as_bytes().chunks(piece.max(1)).map(Self::chunk));
        steps.push(Self::chunk(b""));
        steps
    }

    /// An event stream whose connection closes in the middle of its body.
    pub fn cut_events(text: &str) -> Vec<Self> {
        vec![
            Self::chunked_head(200, &[("content-type", "text/event-stream")]),
            Self::chunk(text.as_bytes()),
            Self::Close,
        ]
    }
}

fn head(status: u16, headers: &[(&str, &str)]) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status} Scripted\r\n");
    for (name, value) in headers {
        text.extend([name, ": ", value, "\r\n"]);
    }
    text.into_bytes()
}

fn framed(body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{:x}\r\n", body.len()).into_bytes();
    bytes.extend(body);
    bytes.extend(b"\r\n");
    bytes
}

/// One request as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// The method.
    pub method: String,
    /// The target as the request line has it.
    pub target: String,
    /// Names in lower case and values, in order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Received {
    /// Returns the first header of this name, given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

type Script = dyn Fn(&Received) -> Vec<Step> + Send + Sync;

#[derive(Default)]
struct Seen {
    requests: Vec<Received>,
    connections: usize,
    closed_by_client: usize,
}

#[derive(Default)]
struct Shared {
    seen: Mutex<Seen>,
    changed: Condvar,
    stops: AtomicBool,
}

impl Shared {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, change: impl FnOnce(&mut Seen)) {
        change(&mut self.seen());
        self.changed.notify_all();
    }
}

/// The server; dropping it ends it.
pub struct LoopbackServer {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl fmt::Debug for LoopbackServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LoopbackServer({})", self.address)
    }
}

impl LoopbackServer {
    /// Starts a server that answers each request with the steps that `script` gives for it.
    ///
    /// # Panics
    ///
    /// Panics when loopback cannot be listened on.
    pub fn start(script: impl Fn(&Received) -> Vec<Step> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback can be listened on");
        let address = listener
            .local_addr()
            .expect("a bound socket has an address");
        let shared = Arc::<Shared>::default();
        let script: Arc<Script> = Arc::new(script);
        let server = Self {
            address,
            shared: Arc::clone(&shared),
        };
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if shared.stops.load(Ordering::SeqCst) {
                    break;
                }
                shared.note(|seen| seen.connections += 1);
                let (shared, script) = (Arc::clone(&shared), Arc::clone(&script));
                thread::spawn(move || serve(stream, &shared, &*script));
            }
        });
        server
    }

    /// Returns the server's address as a URL without a slash at its end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the requests so far, oldest first.
    pub fn requests(&self) -> Vec<Received> {
        self.shared.seen().requests.clone()
    }

    /// Returns how many connections were opened so far.
    pub fn connections(&self) -> usize {
        self.shared.seen().connections
    }

    /// Blocks until the client has closed a connection in the middle of a reply.
    pub fn wait_until_client_closed(&self) {
        let seen = self.shared.seen();
        let closed = self
            .shared
            .changed
            .wait_while(seen, |seen| seen.closed_by_client == 0);
        drop(closed.unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for LoopbackServer {
    fn drop(&mut self) {
        self.shared.stops.store(true, Ordering::SeqCst);
        // Wakes the listener, which then ends.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(mut stream: TcpStream, shared: &Shared, script: &Script) {
    while let Some(request) = read_request(&mut stream) {
        let steps = script(&request);
        shared.note(|seen| seen.requests.push(request));
        for step in steps {
            if !perform(&step, &mut stream) {
                if step != Step::Close {
                    shared.note(|seen| seen.closed_by_client += 1);
                }
                drop(stream.shutdown(Shutdown::Both));
                return;
            }
        }
    }
}

/// Does one step; returns whether the connection is still of use.
fn perform(step: &Step, stream: &mut TcpStream) -> bool {
    match step {
        Step::Send(bytes) => stream.write_all(bytes).is_ok(),
        Step::Flood(bytes) => {
            while stream.write_all(bytes).is_ok() {}
            false
        }
        Step::UntilClosed => {
            let mut byte = [0];
            while matches!(stream.read(&mut byte), Ok(1)) {}
            false
        }
        Step::Close => false,
    }
}

fn read_request(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    let mut piece = [0; 16 << 10];
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        let length = stream.read(&mut piece).ok().filter(|&length| length > 0)?;
        bytes.extend_from_slice(&piece[..length]);
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.split("\r\n");
    let mut words = lines.next()?.split(' ').map(str::to_owned);
    let (method, target) = (words.next()?, words.next()?);
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let mut request = Received {
        method,
        target,
        headers,
        body: bytes.split_off(end + 4),
    };
    let length = request.header("content-length");
    let length: usize = length.map_or(Some(0), |length| length.parse().ok())?;
    while request.body.len() < length {
        let read = stream.read(&mut piece).ok().filter(|&read| read > 0)?;
        request.body.extend_from_slice(&piece[..read]);
    }
    Some(request)
}
