//! One request and its reply: time limits, the head, and pieces of a bounded body.

use std::{ops::Deref, time::Duration};

use reqwest::{RequestBuilder, Response};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::{
    super::fault::Fault,
    Timeouts,
    failure::{Context, not_sent, reported},
};
use crate::{
    error::ProviderError,
    limits::{MAX_CATALOG_BYTES, MAX_CLOSING_SECONDS, MAX_ERROR_BODY_BYTES, MAX_STREAM_BYTES},
};

/// A reply whose head says success.
#[derive(Debug)]
pub(in super::super) struct Reply {
    response: Response,
    pub(in super::super) context: Context,
    idle: Duration,
    first_byte_until: Option<Instant>,
    until: Instant,
    limits: Timeouts,
    bytes: u64,
}

/// Sends the request and takes the reply's head.
pub(in super::super) async fn open(
    request: RequestBuilder,
    limits: Timeouts,
    mut context: Context,
) -> Result<Reply, ProviderError> {
    let start = Instant::now();
    let until = later(start, limits.total);
    let first_byte_until = later(start, limits.first_byte).min(until);
    let sent = timeout_at(first_byte_until, request.send()).await;
    let response = match sent {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => return Err(context.error(not_sent(error))),
        Err(_) => return Err(context.error(no_first_byte(&limits))),
    };
    context.note(response.status(), response.headers());
    let mut reply = Reply {
        response,
        context,
        idle: limits.idle,
        first_byte_until: Some(first_byte_until),
        until,
        limits,
        bytes: 0,
    };
    if reply.response.status().is_success() {
        return Ok(reply);
    }
    let body = reply.error_body().await;
    let fault = reported(reply.response.status(), reply.response.headers(), &body);
    Err(reply.context.error(fault))
}

/// Asks for one JSON document, a page of a listing.
pub(in super::super) async fn fetch_json(
    request: RequestBuilder,
    limits: Timeouts,
    context: Context,
) -> Result<Value, ProviderError> {
    // Nobody thinks about a listing: its one time limit holds for every part.
    let limits = Timeouts {
        first_byte: limits.catalog,
        idle: limits.catalog,
        total: limits.catalog,
        catalog: limits.catalog,
    };
    let mut reply = open(request, limits, context).await?;
    let mut body = Vec::new();
    loop {
        match reply.next().await {
            Ok(Some(piece)) if piece.len() <= MAX_CATALOG_BYTES - body.len() => {
                body.extend_from_slice(&piece);
            }
            Ok(Some(_)) => {
                let fault = Fault::TooLong(format!(
                    "the list of models has more than {MAX_CATALOG_BYTES} bytes"
                ));
                return Err(reply.context.error(fault));
            }
            Ok(None) => break,
            Err(fault) => return Err(reply.context.error(fault)),
        }
    }
    serde_json::from_slice(&body).map_err(|error| {
        let fault = Fault::Invalid(format!("the list of models is not JSON: {error}"));
        reply.context.error(fault)
    })
}

impl Reply {
    /// Waits for the next piece of the body; none at its end.
    pub(in super::super) async fn next(
        &mut self,
    ) -> Result<Option<impl Deref<Target = [u8]> + use<>>, Fault> {
        let until = match self.first_byte_until {
            Some(until) => until,
            None => later(Instant::now(), self.idle).min(self.until),
        };
        let piece = match timeout_at(until, self.response.chunk()).await {
            Ok(Ok(piece)) => piece,
            Ok(Err(error)) => {
                let text = super::failure::chain(&error.without_url());
                return Err(Fault::Cut(format!("the reply broke off: {text}")));
            }
            Err(_) => return Err(self.timeout()),
        };
        let Some(piece) = piece else { return Ok(None) };
        if !piece.is_empty() {
            self.first_byte_until = None;
        }
        self.bytes += piece.len() as u64;
        if self.bytes > MAX_STREAM_BYTES {
            let text = format!("the reply has more than {MAX_STREAM_BYTES} bytes");
            return Err(Fault::TooLong(text));
        }
        Ok(Some(piece))
    }

    /// Waits less from now on: only usage and the closing mark are to come.
    pub(in super::super) fn expect_end(&mut self) {
        self.idle = self.idle.min(Duration::from_secs(MAX_CLOSING_SECONDS));
    }

    fn timeout(&self) -> Fault {
        if Instant::now() >= self.until {
            let seconds = self.limits.total.as_secs_f64();
            return Fault::Timeout(format!("the reply took longer than {seconds} s in all"));
        }
        if self.first_byte_until.is_some() {
            return no_first_byte(&self.limits);
        }
        let seconds = self.idle.as_secs_f64();
        Fault::Timeout(format!("the reply was silent for {seconds} s"))
    }

    /// Reads what fits of an error's body; a body that breaks off is still an error's body.
    async fn error_body(&mut self) -> Vec<u8> {
        // The failure is known already; nobody waits long for its words.
        self.until = self.until.min(later(Instant::now(), self.limits.catalog));
        self.first_byte_until = Some(self.until);
        let mut body = Vec::new();
        while let Ok(Some(piece)) = self.next().await {
            let room = MAX_ERROR_BODY_BYTES - body.len();
            body.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.len() >= room {
                break;
            }
        }
        body
    }
}

fn no_first_byte(limits: &Timeouts) -> Fault {
    let seconds = limits.first_byte.min(limits.total).as_secs_f64();
    Fault::Timeout(format!("no reply within {seconds} s (first byte)"))
}

/// Adds without overflow; a setting may say "for ever".
fn later(start: Instant, wait: Duration) -> Instant {
    const FAR: Duration = Duration::from_hours(720);
    start + wait.min(FAR)
}
