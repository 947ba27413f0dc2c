//! Moments and days in UTC.

use std::{fmt, str::FromStr};

use eyes_evidence::provenance::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

const DAY_SECONDS: i64 = 86_400;
/// 0000-01-01 and 9999-12-31, the days that four digits of a year can write.
const DAYS: std::ops::RangeInclusive<i32> = -719_528..=2_932_896;

/// A moment in whole seconds of UTC; prints as RFC 3339 writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixTime(i64);

impl UnixTime {
    /// Returns the day of UTC.
    pub const fn day(self) -> Day {
        // Within DAYS, as the constructor moved it there.
        Day(self.0.div_euclid(DAY_SECONDS) as i32)
    }

    /// Returns the seconds since 1970-01-01T00:00:00Z.
    pub const fn seconds(self) -> i64 {
        self.0
    }
}

impl From<&Timestamp> for UnixTime {
    /// Leaves the fraction out; a moment that its offset takes out of the years 0 to 9999 becomes the nearest
    /// one inside.
    fn from(time: &Timestamp) -> Self {
        // The form was checked: YYYY-MM-DDTHH:MM:SS, then a fraction, then Z or an offset of six bytes.
        let text = time.as_str().as_bytes();
        let number = |at: usize, digits: usize| {
            let digits = text.iter().skip(at).take(digits);
            digits.fold(0, |value, byte| value * 10 + i64::from(byte - b'0'))
        };
        let day = days_from_civil(number(0, 4), number(5, 2), number(8, 2));
        let seconds = number(11, 2) * 3600 + number(14, 2) * 60 + number(17, 2);
        let zone = text.len().saturating_sub(6);
        let offset = match text.get(zone) {
            Some(sign @ (b'+' | b'-')) => {
                let offset = number(zone + 1, 2) * 3600 + number(zone + 4, 2) * 60;
                if *sign == b'-' { -offset } else { offset }
            }
            _ => 0,
        };
        let first = i64::from(*DAYS.start()) * DAY_SECONDS;
        let last = (i64::from(*DAYS.end()) + 1) * DAY_SECONDS - 1;
        Self((day * DAY_SECONDS + seconds - offset).clamp(first, last))
    }
}

impl fmt::Display for UnixTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = self.0.rem_euclid(DAY_SECONDS);
        let (hour, minute) = (second / 3600, second / 60 % 60);
        write!(
            f,
            "{}T{hour:02}:{minute:02}:{:02}Z",
            self.day(),
            second % 60
        )
    }
}

impl Serialize for UnixTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for UnixTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Timestamp::deserialize(deserializer).map(|time| Self::from(&time))
    }
}

/// A day of UTC; prints as `YYYY-MM-DD`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i32);

/// The text is no day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a day is written YYYY-MM-DD, such as 2026-01-31")]
pub struct ParseDayError;

impl Day {
    /// Returns the day before, or the same where there is none.
    #[must_use]
    pub const fn before(self) -> Self {
        if self.0 > *DAYS.start() {
            Self(self.0 - 1)
        } else {
            self
        }
    }
}

impl FromStr for Day {
    type Err = ParseDayError;

    fn from_str(text: &str) -> Result<Self, ParseDayError> {
        let number = |text: &str| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse::<i64>().ok()).flatten()
        };
        let parts: Vec<i64> = text.split('-').filter_map(number).collect();
        let [year, month, day] = parts[..] else {
            return Err(ParseDayError);
        };
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) || !(0..=9999).contains(&year) {
            return Err(ParseDayError);
        }
        let parsed = Self(days_from_civil(year, month, day) as i32);
        // Whatever is not what it prints as, such as February 30 or a missing zero, is no day.
        if parsed.to_string() == text {
            Ok(parsed)
        } else {
            Err(ParseDayError)
        }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil_from_days(i64::from(self.0));
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl fmt::Debug for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar (Hinnant, "chrono-compatible low-level date
/// algorithms"); a day past the end of its month counts on into the next.
const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Year, month and day; the same source.
const fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_told_in_utc() {
        for (text, utc) in [
            ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
            ("2026-01-31T23:59:59.5+01:00", "2026-01-31T22:59:59Z"),
            ("2026-01-31T23:30:00-01:00", "2026-02-01T00:30:00Z"),
            ("2024-02-29T12:00:00.123456789Z", "2024-02-29T12:00:00Z"),
            ("1969-12-31T23:59:60Z", "1970-01-01T00:00:00Z"),
            ("2026-02-30T10:00:00Z", "2026-03-02T10:00:00Z"),
            ("0000-01-01T00:00:00+23:59", "0000-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59Z"),
        ] {
            let time = UnixTime::from(&Timestamp::new(text).unwrap());
            assert_eq!(time.to_string(), utc, "{text}");
            assert_eq!(time.day().to_string(), utc[..10], "{text}");
            assert_eq!(serde_json::to_value(time).unwrap(), utc);
        }
    }

    #[test]
    fn every_day_is_what_it_prints_as() {
        for day in DAYS.step_by(17).chain([*DAYS.end()]) {
            let text = Day(day).to_string();
            assert_eq!(text.parse(), Ok(Day(day)), "{text}");
            assert!(Day(day).before() <= Day(day));
        }
        for text in [
            "2026-02-29",
            "2026-1-01",
            "2026-01-1",
            "26-01-01",
            "2026-13-01",
            "2026-00-10",
            "2026-01-00",
            "2026-01-01Z",
            "+026-01-01",
            "",
            "-",
            "2026-01-01-01",
            "99999-01-01",
        ] {
            assert_eq!(text.parse::<Day>(), Err(ParseDayError), "{text}");
        }
    }
}
