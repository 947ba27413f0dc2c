//! A server of pages on loopback that tells what was asked for.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex},
    thread,
    time::Duration,
};

use super::pages;

/// Far beyond what anything here takes; reached only by a defect.
pub(super) const PATIENCE: Duration = Duration::from_mins(1);

#[derive(Debug, Default)]
struct Shared {
    /// How often each path was asked for.
    asked: Mutex<BTreeMap<String, u32>>,
    news: Condvar,
    /// Pages that came after the start, and take the place of those of the same name.
    changed: Mutex<BTreeMap<String, String>>,
}

/// A server; its threads end with the test's process.
#[derive(Debug)]
pub(super) struct Server {
    port: u16,
    shared: Arc<Shared>,
}

impl Server {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&of_thread);
                thread::spawn(move || serve(&stream, port, &shared));
            }
        });
        Self { port, shared }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.port)
    }

    /// Changes what a path gives from now on.
    pub(super) fn change(&self, path: &str, body: &str) {
        let page = pages::whole(body);
        let mut changed = self.shared.changed.lock().expect("the pages");
        changed.insert(path.to_owned(), page);
    }

    /// Waits until a path was asked for.
    pub(super) fn wait_for(&self, path: &str) {
        let asked = self.shared.asked.lock().expect("the list");
        let missing = |asked: &mut BTreeMap<String, u32>| !asked.contains_key(path);
        let (asked, waited) = self
            .shared
            .news
            .wait_timeout_while(asked, PATIENCE, missing)
            .expect("the list");
        drop(asked);
        assert!(!waited.timed_out(), "nobody asked for {path}");
    }
}

fn serve(mut stream: &TcpStream, port: u16, shared: &Shared) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    let path = first.split(' ').nth(1).unwrap_or_default();
    let path = path.trim_start_matches('/').to_owned();
    // The rest of the head is read, or closing the connection would reset it.
    drop(lines.find(String::is_empty));
    let changed = shared
        .changed
        .lock()
        .expect("the pages")
        .get(&path)
        .cloned();
    let (status, kind, body) = if path == "file.bin" {
        let kind =
            "application/octet-stream\r\nContent-Disposition: attachment; filename=\"file.bin\"";
        (200, kind, vec![7; 4096])
    } else {
        let page = changed.or_else(|| pages::page(&path, port));
        let status = if page.is_some() { 200 } else { 404 };
        let body = page.unwrap_or_default().into_bytes();
        (status, "text/html; charset=utf-8", body)
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    drop(stream.write_all(&[head.as_bytes(), &body].concat()));
    *shared
        .asked
        .lock()
        .expect("the list")
        .entry(path)
        .or_default() += 1;
    shared.news.notify_all();
}
