//! Formats commit ids and dates for messages: seven digits and a day.

/// Shortest form of an id that git itself prints by default.
const SHORT_ID_LENGTH: usize = 7;
const SECONDS_PER_DAY: i64 = 86_400;
/// Days in 400 years, after which the calendar repeats.
const DAYS_PER_ERA: i64 = 146_097;
/// Days from 1 March of the year 0, the start of the first era, to 1 January 1970.
const DAYS_BEFORE_1970: i64 = 719_468;

/// The first digits of a commit's id.
pub fn short_id(id: &str) -> &str {
    id.get(..SHORT_ID_LENGTH).unwrap_or(id)
}

/// The day (UTC) of a moment given in seconds since 1970, as `2026-03-02`.
pub fn day(seconds: i64) -> String {
    let (year, month, day) = civil_date(seconds.div_euclid(SECONDS_PER_DAY));
    format!("{year:04}-{month:02}-{day:02}")
}

/// A moment (UTC) given in seconds since 1970, as `2026-03-02T10:11:12Z`.
pub fn timestamp(seconds: i64) -> String {
    let time = seconds.rem_euclid(SECONDS_PER_DAY);
    format!("{}T{:02}:{:02}:{:02}Z", day(seconds), time / 3600, time / 60 % 60, time % 60)
}

/// Year, month and day of a number of days since 1970.
///
/// Years are counted from March, so that the leap day is the last one; the months' lengths are then
/// 31, 30, 31, 30, 31 over and over, 153 days for each five.
fn civil_date(days: i64) -> (i64, i64, i64) {
    let days = days + DAYS_BEFORE_1970;
    let era = days.div_euclid(DAYS_PER_ERA);
    let day_of_era = days.rem_euclid(DAYS_PER_ERA);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}
