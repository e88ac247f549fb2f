//! `DecisionTrees`: a sum of small decision trees, parsed from a table. Used by `confidence`.

/// A probability as the logistic function of a sum of decision trees.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct DecisionTrees {
    base: f32,
    roots: Vec<usize>,
    nodes: Vec<TreeNode>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum TreeNode {
    Leaf(f32),
    /// Goes to the first node if the signal is at most this, else to the second.
    Split {
        signal: usize,
        most: f32,
        nodes: [usize; 2],
    },
}

impl DecisionTrees {
    /// Parses the lines that begin with `name`. A number is the sum without any tree; `(signal <= number yes no)` is a
    /// tree whose branches are trees or numbers. `signal` returns the position of a signal's name. `None` if a line has
    /// another form.
    pub(super) fn parse(text: &str, name: &str, signal: impl Fn(&str) -> Option<usize>) -> Option<Self> {
        let mut trees = Self { base: 0.0, roots: Vec::new(), nodes: Vec::new() };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        for line in lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(' ')) {
            let mut tokens = line.split([' ', ')']).filter(|token| !token.is_empty());
            match trees.parse_node(&mut tokens, &signal)? {
                TreeNode::Leaf(value) => trees.base += value,
                node @ TreeNode::Split { .. } => {
                    let root = trees.push_node(node);
                    trees.roots.push(root);
                }
            }
            if tokens.next().is_some() {
                return None;
            }
        }
        Some(trees)
    }

    fn parse_node<'a>(
        &mut self,
        tokens: &mut impl Iterator<Item = &'a str>,
        signal: &impl Fn(&str) -> Option<usize>,
    ) -> Option<TreeNode> {
        let token = tokens.next()?;
        let Some(name) = token.strip_prefix('(') else { return Some(TreeNode::Leaf(token.parse().ok()?)) };
        let signal_at = signal(name)?;
        let most = (tokens.next()? == "<=").then(|| tokens.next()?.parse().ok()).flatten()?;
        let yes = self.parse_node(tokens, signal)?;
        let yes = self.push_node(yes);
        let no = self.parse_node(tokens, signal)?;
        let no = self.push_node(no);
        Some(TreeNode::Split { signal: signal_at, most, nodes: [yes, no] })
    }

    fn push_node(&mut self, node: TreeNode) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Returns the probability, 0–1, for the values of all signals.
    pub(super) fn probability(&self, values: &[f32]) -> f32 {
        let sum = self.roots.iter().map(|&root| self.leaf(root, values)).sum::<f32>() + self.base;
        1.0 / (1.0 + (-sum).exp())
    }

    fn leaf(&self, mut at: usize, values: &[f32]) -> f32 {
        loop {
            match self.nodes[at] {
                TreeNode::Leaf(value) => return value,
                TreeNode::Split { signal, most, nodes } => at = nodes[usize::from(values[signal] > most)],
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# comment\nfirst -1\nfirst (a <= 0.5 1 (b <= 2 3 -4))\nother (a <= 1 7 8)\n";

    fn parse(text: &str) -> Option<DecisionTrees> {
        DecisionTrees::parse(text, "first", |name| ["a", "b"].iter().position(|other| *other == name))
    }

    #[test]
    fn sums_its_trees() {
        let trees = parse(TEXT).expect("a table");
        let logistic = |sum: f32| 1.0 / (1.0 + (-sum).exp());
        for (values, sum) in [([0.0, 9.0], 0.0), ([0.5, 0.0], 0.0), ([0.6, 2.0], 2.0), ([1.0, 2.5], -5.0)] {
            let given = trees.probability(&values);
            assert!((given - logistic(sum)).abs() < 1e-6, "{values:?}: {given}");
        }
    }

    #[test]
    fn refuses_malformed_lines() {
        for text in ["first x", "first (c <= 1 2 3)", "first (a <= 1 2)", "first (a < 1 2 3)", "first 1 2"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
