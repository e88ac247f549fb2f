//! Measures the unit of a model's similarities. Called by `Model::load` if the configuration has no `scale`.
//!
//! Models spread texts differently: 0.02 is negligible with one model and large with another. Similarities are
//! therefore counted in standard deviations among unrelated texts. The unit belongs to the model, not to the candidates
//! at hand: of two candidates, one would always be as far behind as possible.

use super::{Model, Question};
use crate::error::EncodeError;
use crate::maxsim::similarity;

/// Smallest scale: below it are rounding errors.
const SCALE_MIN: f32 = 1e-3;

/// Questions (intent, path) that have nothing to do with [`PATHS`].
pub(crate) const QUESTIONS: [(&str, &str); 6] = [
    ("fix the login form", "form.tsx"),
    ("retry failed uploads", "internal/upload/retry.go"),
    ("", "src/config/settings.py"),
    ("update the changelog for the release", "CHANGES.md"),
    ("add a test for the tokenizer", "tests/test_tokenizer.py"),
    ("", "lib/widgets/button.dart"),
];

/// Paths that have nothing to do with [`QUESTIONS`].
pub(crate) const PATHS: [&str; 12] = [
    "docs/guide/installation.md",
    "crates/parser/src/lexer.rs",
    "packages/web/src/components/Header.tsx",
    "app/models/invoice.rb",
    "cmd/server/main.go",
    "src/main/java/com/example/billing/InvoiceService.java",
    "infra/terraform/network/vpc.tf",
    ".github/workflows/release.yml",
    "assets/icons/arrow-left.svg",
    "scripts/migrate_database.sh",
    "include/render/shader.h",
    "tests/fixtures/users.json",
];

/// Returns the mean over questions of the deviation among paths, since only paths of one question are compared.
pub(super) fn measure(model: &Model) -> Result<f32, EncodeError> {
    let documents = PATHS.iter().map(|path| model.document(path)).collect::<Result<Vec<_>, _>>()?;
    let mut sum = 0.0;
    for (intent, path) in QUESTIONS {
        let query = model.query(Question { intent, path })?;
        let near: Vec<f32> = documents.iter().map(|document| similarity(&query, document)).collect();
        let mean = near.iter().sum::<f32>() / near.len() as f32;
        let variance = near.iter().map(|near| (near - mean).powi(2)).sum::<f32>() / near.len() as f32;
        sum += variance.sqrt();
    }
    Ok((sum / QUESTIONS.len() as f32).max(SCALE_MIN))
}
