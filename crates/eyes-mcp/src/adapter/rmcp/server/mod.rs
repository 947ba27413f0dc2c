//! Serving a [`ToolHost`](crate::serve::ToolHost) to MCP clients: over streams, and over Streamable HTTP on
//! loopback.

mod handler;
mod http;
mod stdio;

pub use self::{
    http::{HttpServeOptions, HttpServing},
    stdio::{serve_stdio, serve_streams},
};

#[cfg(test)]
mod tests;
