//! A server of files on loopback.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    thread,
};

/// Serves the files of a folder until the program ends; returns the address.
pub(crate) fn start(folder: PathBuf) -> Result<String, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
    let port = listener
        .local_addr()
        .map_err(|error| error.to_string())?
        .port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = folder.clone();
            thread::spawn(move || answer(&stream, &folder));
        }
    });
    Ok(format!("http://127.0.0.1:{port}"))
}

fn answer(mut stream: &TcpStream, folder: &Path) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    let name = first
        .split(' ')
        .nth(1)
        .unwrap_or_default()
        .trim_start_matches('/');
    drop(lines.find(String::is_empty));
    let is_page = name.starts_with("page-") && !name.contains('/');
    let page = is_page.then(|| fs::read(folder.join(name)).ok()).flatten();
    let status = if page.is_some() {
        "200 OK"
    } else {
        "404 Not Found"
    };
    let body = page.unwrap_or_default();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    drop(stream.write_all(&[head.as_bytes(), &body].concat()));
}
