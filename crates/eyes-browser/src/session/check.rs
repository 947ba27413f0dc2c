//! Assertions: looked at again whenever the page moved, until they hold or the time is over.

use tokio::time::Instant;

use super::{
    AssertionRecord, Outcome,
    core::{Core, Done},
};
use crate::{
    assertion::{AssertionKind, Expectation, Subject, Verdict, judge},
    driver::{DriverError, DriverErrorKind, Query},
    error::BrowserError,
    limits::{ASSERT_TIMEOUT, MIN_POLL},
    machine::Refusal,
};

impl Core {
    /// Judges an expectation; one that does not hold is an answer, and a missing element fails it.
    pub(super) async fn assert(
        &mut self,
        expectation: &Expectation,
        deadline: Instant,
    ) -> Result<Done, BrowserError> {
        let sought = match &expectation.target {
            None => None,
            Some(target) => match self.sought(target) {
                Ok(sought) => Some(sought),
                // An element that is gone is a missing one.
                Err(Refusal::RefNotFound(_)) => None,
                Err(other) => return Err(other.into()),
            },
        };
        let deadline = deadline.min(Instant::now() + ASSERT_TIMEOUT);
        let mut pace = MIN_POLL;
        let mut looks = 0;
        let verdict = loop {
            looks += 1;
            let verdict = self.judged(expectation, sought.as_ref(), deadline).await?;
            if verdict.passed || !self.moved(&mut pace, deadline).await? {
                break verdict;
            }
        };
        let record = self.assertion_record(expectation, verdict, looks);
        let mut done = Done::looked();
        done.unmet = !record.passed;
        done.outcome = Outcome::Assertion(record);
        Ok(done)
    }

    async fn judged(
        &mut self,
        expectation: &Expectation,
        sought: Option<&(Query, Option<u32>)>,
        deadline: Instant,
    ) -> Result<Verdict, BrowserError> {
        if expectation.kind.about_page() {
            let page = self.bare().await?.page;
            return Ok(judge(
                expectation,
                Subject {
                    url: &page.url,
                    title: &page.title,
                    nodes: &[],
                },
            ));
        }
        let nodes = match sought {
            None => Vec::new(),
            Some(sought) => {
                // The search itself gets its time even where the expectation has none left.
                let limit = deadline.max(Instant::now() + crate::limits::FRAME_TIMEOUT);
                match self.matches(sought, limit).await {
                    Ok(nodes) => nodes,
                    Err(BrowserError::Driver(DriverError {
                        kind: DriverErrorKind::NodeGone,
                        ..
                    })) => Vec::new(),
                    Err(other) => return Err(other),
                }
            }
        };
        Ok(judge(
            expectation,
            Subject {
                url: "",
                title: "",
                nodes: &nodes,
            },
        ))
    }

    /// Writes an assertion down: without secrets, and with values of fields as digests in reports.
    fn assertion_record(
        &self,
        expectation: &Expectation,
        verdict: Verdict,
        looks: u32,
    ) -> AssertionRecord {
        let clean = |text: String| self.secrets.clean(&text).into_owned();
        AssertionRecord {
            assertion: expectation.kind,
            target: expectation
                .target
                .as_ref()
                .map(|target| clean(target.describe())),
            expected: expectation.expected.clone().map(clean),
            actual: verdict.actual.map(|text| {
                let text: String = text.chars().take(crate::limits::MAX_VALUE_CHARS).collect();
                clean(text)
            }),
            passed: verdict.passed,
            note: verdict.note.or((looks > 1
                && verdict.passed
                && expectation.kind != AssertionKind::Hidden)
                .then_some("it did not hold at first")),
            looks,
        }
    }
}
