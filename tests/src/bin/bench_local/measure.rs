//! Runs a program and watches what it costs, from `/proc` (Linux).

use std::{
    fs,
    io::Read,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::Failure;

/// What one run cost.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    /// From start to end, milliseconds.
    pub(crate) wall_ms: f64,
    /// User and system time of all threads, milliseconds (clock ticks of 10).
    pub(crate) cpu_ms: f64,
    /// Highest resident memory, MiB; sampled every two milliseconds.
    pub(crate) peak_mib: f64,
}

/// Clock ticks a second in `/proc` (`USER_HZ`, 100 on every Linux).
const TICKS: f64 = 100.0;
const SAMPLE: Duration = Duration::from_millis(2);
const LIMIT: Duration = Duration::from_mins(5);

/// Runs the command to its end and returns its standard output.
pub(crate) fn run(command: &mut Command) -> Result<(String, Cost), Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{name}: {error}"))?;
    let output = child.stdout.take();
    // A full pipe would stop the program: it is drained while the program is watched.
    let text = thread::spawn(move || {
        let mut text = String::new();
        output
            .map(|mut o| o.read_to_string(&mut text))
            .transpose()
            .map(|_| text)
    });
    let cost = watch(&mut child, start).map_err(|error| format!("{name}: {error}"))?;
    let status = child.wait().map_err(|error| format!("{name}: {error}"))?;
    if !status.success() {
        return Err(format!("{name}: {status}"));
    }
    let text = text
        .join()
        .map_err(|_| format!("{name}: its output could not be read"))?;
    Ok((text.map_err(|error| format!("{name}: {error}"))?, cost))
}

/// Watches until the program has ended and only its entry in the process table is left.
#[expect(
    clippy::disallowed_methods,
    reason = "memory is sampled: there is no condition to wait for between two looks"
)]
fn watch(child: &mut Child, start: Instant) -> Result<Cost, Failure> {
    let directory = format!("/proc/{}", child.id());
    let mut cost = Cost::default();
    loop {
        let stat = fs::read_to_string(format!("{directory}/stat")).map_err(|e| e.to_string())?;
        // The name in parentheses may hold anything; fields count from behind it.
        let fields: Vec<&str> = stat
            .rsplit_once(')')
            .map(|(_, rest)| rest.split_whitespace().collect())
            .unwrap_or_default();
        if fields.first() == Some(&"Z") {
            let ticks = |at: usize| fields.get(at).and_then(|f| f.parse::<f64>().ok());
            cost.wall_ms = start.elapsed().as_secs_f64() * 1000.0;
            cost.cpu_ms = (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) * 1000.0 / TICKS;
            return Ok(cost);
        }
        if let Ok(status) = fs::read_to_string(format!("{directory}/status")) {
            cost.peak_mib = cost.peak_mib.max(peak(&status).unwrap_or(0.0));
        }
        if start.elapsed() > LIMIT {
            child.kill().map_err(|e| e.to_string())?;
            return Err(format!("stopped after {} s", LIMIT.as_secs()));
        }
        thread::sleep(SAMPLE);
    }
}

fn peak(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024.0)
}
