//! How failures are told.

use std::{ffi::OsString, io::Write};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use eyes_evidence::code::{Coded, ErrorCode};
use eyes_runtime::environment::Environment;

use crate::{
    args::{Format, When},
    codes,
    error::CliError,
    exit::Exit,
    io::Io,
    json::{ErrorOutput, line},
    text::{Style, Tone, safe},
};

/// A failure as it is printed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
    pub(crate) hint: String,
}

impl Failure {
    pub(crate) fn of(error: &CliError) -> Self {
        Self {
            code: error.code(),
            message: error.chain(),
            hint: error.hint(),
        }
    }

    /// Prints it in the form that `format` asks for, and returns the exit code; `input` names what it is about.
    pub(crate) fn print(
        &self,
        to: &mut dyn Write,
        format: Format,
        style: Style,
        input: Option<&str>,
    ) -> Exit {
        let text = match format {
            Format::Human => {
                let mark = style.paint(Tone::Bad, format!("error[{}]", self.code));
                let about = input.map(|input| format!("{input}: ")).unwrap_or_default();
                let message = safe(&self.message);
                format!("{mark}: {about}{message}\nhint: {}\n", safe(&self.hint))
            }
            Format::Json => {
                let error = ErrorOutput {
                    error: self.into(),
                    input,
                };
                line(&error).expect("texts always serialise")
            }
        };
        // Nobody is left to tell when standard error is closed too; the exit code still says it.
        drop(to.write_all(text.as_bytes()).and_then(|()| to.flush()));
        Exit::from(self.code.spec().category)
    }
}

/// Tells what the command-line parser has to say: help and version too come as an error.
pub(crate) fn command_line(
    error: &clap::Error,
    args: &[OsString],
    io: &mut Io<'_>,
    environment: &Environment,
) -> Result<Exit, CliError> {
    let wanted = |name: &str| option_value(args, name);
    let when = match wanted("--color").as_deref() {
        Some("always") => When::Always,
        Some("never") => When::Never,
        _ => When::Auto,
    };
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        let text = error.render();
        if colours(when, io.terminals.stdout, environment) {
            write!(io.stdout, "{}", text.ansi())?;
        } else {
            write!(io.stdout, "{text}")?;
        }
        io.stdout.flush()?;
        return Ok(Exit::Done);
    }
    let format = match wanted("--format").as_deref() {
        Some("json") => Format::Json,
        _ => Format::Human,
    };
    let style = Style::new(colours(when, io.terminals.stderr, environment));
    Ok(usage_failure(error).print(io.stderr, format, style, None))
}

/// Tells whether a stream is coloured (<https://no-color.org>).
pub(crate) fn colours(when: When, is_terminal: bool, environment: &Environment) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            is_terminal
                && environment.get("NO_COLOR").is_none()
                && environment.get("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

fn usage_failure(error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    let mut parts = text.trim_end().split("\n\n");
    let first = parts.next().unwrap_or_default();
    let message = match error.kind() {
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "no command is given".to_owned()
        }
        _ => one_line(first.trim_start_matches("error: ")),
    };
    let suggestion = [
        ContextKind::SuggestedArg,
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedValue,
    ]
    .into_iter()
    .find_map(|kind| match error.get(kind)? {
        ContextValue::String(name) => Some(name.clone()),
        ContextValue::Strings(names) => names.first().cloned(),
        _ => None,
    });
    let hint = match suggestion {
        Some(name) => format!("did you mean {name}?"),
        None => codes::COMMAND_LINE_INVALID.spec().hint.to_owned(),
    };
    Failure {
        code: codes::COMMAND_LINE_INVALID,
        message,
        hint,
    }
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Finds `--name value` or `--name=value` in arguments that could not be parsed.
fn option_value(args: &[OsString], name: &str) -> Option<String> {
    let mut args = args
        .iter()
        .map(|arg| arg.to_string_lossy())
        .take_while(|arg| arg != "--");
    while let Some(arg) = args.next() {
        if arg == name {
            return args.next().map(std::borrow::Cow::into_owned);
        }
        if let Some(value) = arg
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix('='))
        {
            return Some(value.to_owned());
        }
    }
    None
}
