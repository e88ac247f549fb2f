//! The modules of the standard library, which take precedence over the project's own.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// Its modules and packages, of all versions since 2.7, by name.
const MODULES: &str = "
BaseHTTPServer ConfigParser Cookie HTMLParser Queue SimpleHTTPServer SocketServer StringIO Tkinter UserDict
__builtin__ __future__ __main__ abc aifc annotationlib antigravity anydbm argparse array ast asynchat asyncio
asyncore atexit audioop base64 bdb binascii binhex bisect builtins bz2 cPickle cProfile cStringIO calendar cgi
cgitb chunk cmath cmd code codecs codeop collections colorsys commands compileall compiler compression
concurrent configparser contextlib contextvars cookielib copy copy_reg copyreg crypt csv ctypes curses
dataclasses datetime dbhash dbm decimal difflib dis distutils doctest dummy_threading email encodings ensurepip
enum errno exceptions faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc
genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html htmlentitydefs http httplib
idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale
logging lzma macpath mailbox mailcap marshal math md5 mimetypes mmap modulefinder msilib msvcrt multiprocessing
netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev parser pathlib pdb pickle
pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile
pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets
select selectors sets sha shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3
sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol
symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios test textwrap this thread threading
time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing
unicodedata unittest urllib urllib2 urlparse user uu uuid venv warnings wave weakref webbrowser whichdb winreg
winsound wsgiref xdrlib xml xmlrpc xmlrpclib zipapp zipfile zipimport zlib zoneinfo
";

/// Returns whether the standard library has a module of this name.
pub(super) fn is_standard_module(name: &str) -> bool {
    static NAMES: LazyLock<FxHashSet<&str>> = LazyLock::new(|| MODULES.split_whitespace().collect());
    NAMES.contains(name)
}

#[cfg(test)]
mod tests {
    #[test]
    fn knows_modules_by_name() {
        assert!(super::MODULES.split_whitespace().is_sorted());
        assert!(
            super::is_standard_module("email")
                && super::is_standard_module("test")
                && !super::is_standard_module("tests")
        );
    }
}
