//! Connections over both transports against servers that speak bytes.

#![cfg(all(feature = "http", feature = "stdio"))]

mod http;
mod server;
mod stdio;
