//! The forms of output: help, errors, colour, settings, closed pipes.

use std::process::Stdio;

use crate::eyes;

#[test]
fn the_help_is_this() {
    insta::assert_snapshot!(eyes().run(["--help"]).exits(0).stdout, @"
    Read images into validated evidence, without a key and without a network

    Usage: eyes [OPTIONS] <COMMAND>

    Commands:
      read         Read images
      ask          Ask one question about an image
      answer       Let a final model answer a question about images
      route        Models that look: list, probe, health
      audit        The log of attempts: show, verify
      config       Settings: schema, check, show
      evidence     Check records, or turn a model's raw text into evidence
      eval         Score the reading of pictures whose content is known
      schema       Print a schema, or list them
      explain      Explain an error code
      doctor       Check settings, data directory, store and local eyes
      models       List and install models of the local eyes
      usage        What was used: show, watch, reset, export
      data         What is kept on the disk: show, erase
      mcp          Servers of MCP: test, call, approve, and be one
      browser      A web page: run scripts, open, report, replay
      completions  Print a completion script for a shell
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help     Print help
      -V, --version  Print version

    Global options:
          --config <FILE>    Read settings from this file [env: EYES_CONFIG]
          --data-dir <DIR>   Keep evidence and models in this directory [env: EYES_DATA_DIR]
          --format <FORMAT>  Print for a person, or one JSON value a line [default: human] [possible
                             values: human, json]
          --color <WHEN>     Colour the output; `auto` does on a terminal unless `NO_COLOR` is set
                             [default: auto] [possible values: auto, never, always]

    Data goes to standard output, everything else to standard error.
    Exit codes: 0 done, 1 a check said no, 2 wrong command line, settings or input, 3 refused,
    4 unavailable, 5 data rejected, 6 failed, 70 defect, 130 interrupted.
    ");
}

#[test]
fn a_wrong_command_line_has_the_form_of_every_error() {
    let eyes = eyes();
    for (args, expected) in [
        (
            &["raed"][..],
            "error[COMMAND_LINE_INVALID]: unrecognized subcommand 'raed'\nhint: did you mean read?\n",
        ),
        (
            &[],
            "error[COMMAND_LINE_INVALID]: no command is given\nhint: see `eyes --help`, or `eyes COMMAND --help`\n",
        ),
        (
            &["read", "--formt", "json", "x"],
            "error[COMMAND_LINE_INVALID]: unexpected argument '--formt' found\nhint: did you mean --format?\n",
        ),
    ] {
        let ran = eyes.run(args).exits(2);
        assert_eq!(ran.stderr, expected);
        assert_eq!(ran.stdout, "");
    }
    let ran = eyes.run(["raed", "--format=json"]).exits(2);
    let error = ran.json_error();
    assert_eq!(error["error"]["code"], "COMMAND_LINE_INVALID");
    assert_eq!(error["error"]["hint"], "did you mean read?");
    assert_eq!(error["error"]["retry"], "after-change");
    assert!(error["error"]["message"].is_string());
}

#[test]
fn colour_comes_when_asked_and_not_into_a_pipe() {
    let eyes = eyes();
    let escape = '\u{1b}';
    let explain = |args: &[&str]| {
        let mut all = vec!["explain", "ABORTED"];
        all.extend(args);
        eyes.run(all).exits(0).stdout
    };
    assert!(!explain(&[]).contains(escape));
    assert!(!explain(&["--color=never"]).contains(escape));
    assert!(explain(&["--color=always"]).contains(escape));
    let ran = eyes.run(["--color=always", "--help"]).exits(0);
    assert!(ran.stdout.contains(escape));
}

#[test]
fn settings_are_found_by_option_environment_and_place() {
    let eyes = eyes();
    eyes.write("bad.toml", "[store]\nenabld = true\n");
    let refused = |ran: eyes_tests::Ran| {
        let ran = ran.exits(2);
        assert!(
            ran.stderr
                .starts_with("error[SETTINGS_INVALID]: setting store.enabld: unknown field"),
            "{}",
            ran.stderr
        );
    };
    refused(eyes.run(["models", "list", "--config", "bad.toml"]));
    let output = eyes
        .command()
        .args(["models", "list"])
        .env("EYES_CONFIG", "bad.toml")
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let ran = eyes
        .run(["models", "list", "--config", "none.toml"])
        .exits(2);
    assert!(
        ran.stderr.starts_with("error[SETTINGS_UNAVAILABLE]: "),
        "{}",
        ran.stderr
    );
    #[cfg(target_os = "linux")]
    {
        std::fs::create_dir_all(eyes.path(".config/deepseekeyes")).expect("a folder");
        eyes.write(
            ".config/deepseekeyes/config.toml",
            "[store]\nenabld = true\n",
        );
        refused(eyes.run(["models", "list"]));
    }
}

#[test]
fn a_reader_that_went_away_is_no_failure() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = eyes()
        .command()
        .args(["schema", "error-codes"])
        .stdout(Stdio::from(writer))
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

#[test]
fn a_store_that_cannot_be_opened_costs_a_warning_and_not_the_reading() {
    let eyes = eyes();
    let file = eyes.write("file", b"");
    let ran = eyes.run([
        "read".as_ref(),
        eyes_tests::fixture("error-dialog.png").as_os_str(),
        "--data-dir".as_ref(),
        file.as_os_str(),
    ]);
    let ran = ran.exits(0);
    assert!(ran.stdout.contains("Disk almost full"));
    assert!(
        ran.stderr
            .starts_with("warning[DATA_DIRECTORY_UNAVAILABLE]: "),
        "{}",
        ran.stderr
    );
}
