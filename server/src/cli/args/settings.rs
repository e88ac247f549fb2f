//! The flags of the settings, which every command takes; `pathfinder help settings` describes them.

use std::ffi::OsString;

use clap::{Arg, ArgMatches, Args as ClapArgs, FromArgMatches, value_parser};

use pathfinder_project::settings::{ALL, Overrides, Setting};

/// One flag per setting, from [`ALL`]. Every command takes them; only `pathfinder help settings` shows them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SettingFlags(Vec<(usize, OsString)>);

impl SettingFlags {
    /// Adds flags given later; of two values the later wins.
    pub(super) fn extend(&mut self, later: Self) {
        self.0.extend(later.0);
    }

    /// The values by setting.
    pub(super) fn overrides(&self) -> Overrides {
        let mut overrides = Overrides::default();
        for (position, value) in &self.0 {
            overrides.set(ALL[*position].key, value.clone());
        }
        overrides
    }
}

impl ClapArgs for SettingFlags {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.args(ALL.iter().map(|setting| {
            Arg::new(setting.name)
                .long(setting.flag)
                .value_name(setting.value)
                .value_parser(value_parser!(OsString))
                .help_heading("Settings")
                .hide(true)
                .help(setting.meaning.trim_end_matches('.'))
                .long_help(format!("{} [env: {}] [default: {}]", setting.meaning, setting.variable, setting.default))
        }))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SettingFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let value = |(position, setting): (usize, &Setting)| {
            matches.get_one::<OsString>(setting.name).map(|value| (position, value.clone()))
        };
        Ok(Self(ALL.iter().enumerate().filter_map(value).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
