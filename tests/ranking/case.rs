//! One line of a file of cases: a request, and what its answer has to be.

use serde_json::{Value, json};

/// Settings of the following cases, from a line of dashes.
#[derive(Clone, Default)]
pub(crate) struct Title {
    pub(crate) name: String,
    /// The original's result in this category, or `?` if it is not published.
    pub(crate) theirs: Option<String>,
}

impl Title {
    pub(crate) fn parse(text: &str) -> Self {
        let (name, theirs) =
            text.split_once(" | theirs ").map_or((text, None), |(name, theirs)| (name, Some(theirs.to_owned())));
        Self { name: name.trim_start_matches('-').trim().to_owned(), theirs }
    }
}

/// One question and its expected answer.
pub(crate) struct Case {
    /// The line in its file.
    pub(crate) line: usize,
    pub(crate) text: String,
    pub(crate) title: Title,
    pub(crate) request: Value,
    /// It is known that the engine does not do it yet.
    pub(crate) missed: bool,
    status: String,
    /// The right one.
    pub(crate) path: Option<String>,
}

impl Case {
    #[track_caller]
    pub(crate) fn parse(text: &str, line: usize, title: &Title, root: &str) -> Self {
        let wrong = |what: &str| -> ! { panic!("line {line}: {what}: {text}") };
        let (missed, row) = text.strip_prefix("! ").map_or((false, text), |row| (true, row));
        let Some((asked, expected)) = row.split_once(" → ") else { wrong("a case has an arrow") };
        let mut columns = asked.split(" | ").map(str::trim);
        let failed_path = unescaped(columns.next().unwrap_or_default()).replace("{root}", root);
        let mut request = json!({ "failed_path": failed_path });
        for column in columns {
            let (name, value) = column.split_once(' ').unwrap_or_else(|| wrong("a column is a name and a value"));
            let value = unescaped(value);
            match name {
                "op" => request["op"] = value.into(),
                "intent" => request["intent_text"] = value.into(),
                "history" => request["history"] = value.split(", ").collect(),
                "from" => request["from_file"] = value.into(),
                "hint" => request["root_hint"] = value.into(),
                "contains" => request["evidence"] = json!({ "contains": value }),
                _ => wrong("there is no such column"),
            }
        }
        let (status, path) = expected.trim().split_once(' ').map_or((expected.trim(), None), |(s, p)| (s, Some(p)));
        let known = ["exists", "resolved", "found", "first", "ambiguous", "not_found", "never"];
        if !known.contains(&status) || path.is_none() && ["exists", "resolved", "found", "first"].contains(&status) {
            wrong("no such expectation");
        }
        let (status, path) = (status.to_owned(), path.map(unescaped));
        Self { line, text: text.to_owned(), title: title.clone(), request, missed, status, path }
    }

    /// Returns the actual answer if it differs from the expected one.
    pub(crate) fn disagrees(&self, answer: &Value) -> Option<String> {
        let status = answer["status"].as_str().unwrap_or_default();
        let answered = answer["path"].as_str();
        let first = paths(answer).first().copied();
        let wanted = self.path.as_deref();
        let same = wanted.is_none() || wanted == first;
        let holds = match self.status.as_str() {
            "found" => answered.is_some() && wanted == answered,
            "first" => same,
            "never" => answered.is_none() || wanted.is_some() && wanted != answered,
            // Its question is between rivals, of which there may be none.
            "ambiguous" => status == "ambiguous" && same,
            expected => status == expected && same,
        };
        let (confidence, why) = (&answer["confidence"], &answer["why"]);
        (!holds).then(|| format!("{status} {} ({confidence}, {why})", first.unwrap_or("nothing")))
    }
}

/// Returns the paths of an answer, surest first: the answer, then the candidates.
pub(crate) fn paths(answer: &Value) -> Vec<&str> {
    let candidates = answer["candidates"].as_array().into_iter().flatten();
    let mut paths: Vec<_> = answer["path"].as_str().into_iter().collect();
    let further = candidates.filter_map(|candidate| candidate["path"].as_str());
    paths.extend(further.filter(|path| Some(*path) != answer["path"].as_str()));
    paths
}

/// `\u{301}` as the character.
pub(crate) fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('}').unwrap();
        out.push(u32::from_str_radix(code, 16).ok().and_then(char::from_u32).unwrap());
        out.push_str(rest);
    }
    out
}
