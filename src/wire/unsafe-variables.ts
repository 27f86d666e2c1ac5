// Shells: search paths, word splitting, and what they run or print automatically.
const shell =
  'PATH CDPATH IFS ENV BASH_ENV SHELL HOME SHELLOPTS BASHOPTS PROMPT_COMMAND PROMPT_DIRTRIM GLOBIGNORE FIGNORE FCEDIT ' +
  'INPUTRC MAILPATH EXECIGNORE HISTFILE HISTCONTROL UID EUID GID EGID PPID FPATH ZDOTDIR MODULE_PATH MANPATH NULLCMD ' +
  'READNULLCMD PROMPT RPROMPT RPS1 RPS2 SPROMPT PS0 PS1 PS2 PS3 PS4 PSVAR KEYTIMEOUT TRAPDEBUG OPTIND POSIXLY_CORRECT ' +
  // zsh ties these to the upper-case ones.
  'path cdpath fpath manpath mailpath module_path fignore prompt psvar histchars argv';

// Files and options that language runtimes and libraries load code from.
const runtime =
  'GCONV_PATH GLIBC_TUNABLES LOCPATH NLSPATH HOSTALIASES LIBPATH SHLIB_PATH OPENSSL_CONF OPENSSL_MODULES ' +
  'OPENSSL_ENGINES NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED ' +
  'PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUSERBASE PYTHONBREAKPOINT PYTHONINSPECT PYTHONEXECUTABLE PYTHONWARNINGS ' +
  'PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYOPT RUBYLIB GEM_PATH GEM_HOME BUNDLE_GEMFILE JAVA_TOOL_OPTIONS ' +
  '_JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH PHPRC PHP_INI_SCAN_DIR LUA_PATH LUA_CPATH LUA_INIT R_PROFILE R_ENVIRON ' +
  'R_PROFILE_USER R_ENVIRON_USER DOTNET_STARTUP_HOOKS RUSTC_WRAPPER MAKEFLAGS TCLLIBPATH';

// Commands that other programs run.
const commands =
  'EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE SUDO_ASKPASS SUDO_EDITOR SSH_ASKPASS GIT_SSH ' +
  'GIT_SSH_COMMAND GIT_ASKPASS GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF GIT_EXEC_PATH ' +
  'GIT_PROXY_COMMAND GIT_TEMPLATE_DIR GIT_DIR GIT_WORK_TREE';

const names: ReadonlySet<string> = new Set([shell, runtime, commands].join(' ').split(' '));

/** The dynamic loaders, functions that bash imports, settings that git takes from the environment, and LUA_INIT_5_4. */
const families = /^(LD_|DYLD_|_RLD|BASH_FUNC_|GIT_CONFIG|LUA_(INIT|PATH|CPATH)_)/;

/**
 * Whether a variable of this name changes how a shell, the dynamic loader or a language runtime works, or which
 * command another program runs. Such a name must not come from a stored item.
 */
export const isUnsafeVariable = (name: string): boolean => names.has(name) || families.test(name);
