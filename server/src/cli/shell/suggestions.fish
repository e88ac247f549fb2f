# pathfinder: after a command that failed, the same command with its wrong paths made right.
# In ~/.config/fish/config.fish: pathfinder suggestions fish | source
function __pathfinder_suggest --on-event fish_postexec
    set -l code $status
    # 130: it was interrupted.
    if test $code -ne 0 -a $code -ne 130
        set -l right (printf '%s\n' "$argv[1]" | pathfinder resolve --stdin --commands 2>/dev/null | string collect)
        if test -n "$right" -a "$right" != "$argv[1]"
            printf 'did you mean: %s\n' "$right" >&2
        end
    end
    return $code
end
