#compdef lanyard
# Completion of lanyard for zsh. Written by "npm run generate"; do not edit.
#
# Write it to a file _lanyard in a folder of your $fpath, or add to ~/.zshrc, after compinit:
# source <(lanyard completion zsh)

_lanyard() {
  # The command line without quotes, before a command changes $words.
  local live_current=${(Q)PREFIX}
  local own
  local -a live_words=("${(@Q)words[2,CURRENT-1]}")
  # Flags that several commands share.
  local -a service=(
    '--address=[address of the service (default: from the settings)]:URL: '
    '--curl[print the equivalent curl command and send nothing]'
    '--skip-verify[skip verification of the TLS certificate; prints a warning]'
  )
  local -a namespace=(
    '(-n --namespace)'{-n+,--namespace=}'[namespace, for services that have namespaces]:NS:__lanyard_live'
  )
  local -a writes=(
    '--dry-run[print the request without sending any change]'
  )
  local -a out=(
    '--out=[write the result to a new file (mode 0600) instead of standard output (-)]:FILE|-:__lanyard_files'
  )
  local -a result=(
    '--env-prefix=[prefix for variable names with --output env, dotenv and github-env]:TEXT: '
    '--field=[print one field of the result as a raw value (data.key, items.0.name)]:PATH:__lanyard_live'
    '--select=[print the part of the result that a JMESPath expression selects]:EXPR: '
  )
  local -a every=(
    '(-p --profile)'{-p+,--profile=}'[profile to use instead of the active one]:NAME:__lanyard_profiles'
    '(-o --output)'{-o+,--output=}'[output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env]:output:(text json jsonl yaml table env dotenv github-env)'
    '--timeout=[request timeout per attempt (default 30s)]:DURATION: '
    '(-y --yes)'{-y,--yes}'[skip confirmation prompts]'
    '--no-input[disable prompts; fail if input is required]'
    '(-q --quiet)'{-q,--quiet}'[suppress notes, progress and messages of success]'
    '(-v --verbose)'{-v,--verbose}'[log requests and responses to standard error, without secrets]'
    '--debug=[append a trace of requests and responses to a file, without secrets]:FILE:__lanyard_files'
    '--no-color[disable color (also NO_COLOR, TERM=dumb)]'
    '(- : *)'{-h,--help}'[show the help of the command]'
  )
  __lanyard_group _lanyard \
    '(- : *)'{-V,--version}'[print the version]' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_quickstart() {
  __lanyard_leaf "$every[@]"
}

_lanyard_dev() {
  __lanyard_group _lanyard_dev \
    '--data=[store state in this directory, which must be new, empty or created by --data]:DIR:_files -/' \
    '*--port=[free ports for all services (0), or the port of one; repeatable]:0|SERVICE=PORT: ' \
    '--uninitialized[secrets: start new data without keys and tokens, for "secrets init"]' \
    '--audit-log=[secrets: audit log, to which requests and responses are appended]:FILE:__lanyard_files' \
    '*--audit-option=[option of the audit log: log_raw, hmac_accessor, elide_list_responses, mode or prefix; repeatable]:K=V: ' \
    '*--datacenters=[registry: datacenters, the primary first (default dc1)]:NAME,...: ' \
    '*--round-trip=[registry: round-trip time between two datacenters (default 10ms per step in the given order)]:A\:B=DURATION: ' \
    '--standby=[secrets: start a standby whose reads are this far behind]:DURATION: ' \
    '*--after-start=[respond to every request with this status for some time after the start; repeatable]:SERVICE=STATUS\:TIME: ' \
    '--password=[source of the password of the initial users: -, @FILE or env://NAME (default: generated, shown once)]:SRC:__lanyard_files' \
    '--two-factor[box: require a two-factor code, which is printed here]' \
    '*--rate-limit=[limit requests as the product does; accounts=boundary: defaults of Boundary; repeatable (default unlimited)]:SERVICE=N: ' \
    '--openapi=[print the OpenAPI document of a service and exit]:openapi:(secrets registry box scheduler accounts)' \
    "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_dev_run() {
  _arguments -s -S \
    '*--datacenters=[registry: datacenters, the primary first (default dc1)]:NAME,...: ' \
    '*--round-trip=[registry: round-trip time between two datacenters (default 10ms per step in the given order)]:A\:B=DURATION: ' \
    '*--rate-limit=[limit requests as the product does; accounts=boundary: defaults of Boundary; repeatable (default unlimited)]:SERVICE=N: ' \
    "$every[@]" \
    '(-):COMMAND (command and arguments, after --):__lanyard_programs' \
    '*::arguments: _normal'
}

_lanyard_run() {
  _arguments -s -S \
    '*--var=[scheduler variable to read; repeatable]:PATH:__lanyard_live' \
    '*--kv=[key-value secret to read, such as secret/app/db; repeatable]:PATH:__lanyard_live' \
    '*--key=[registry key, or all keys below a prefix; repeatable]:KEY|PREFIX/:__lanyard_live' \
    '*--creds=[MOUNT/ROLE \[K=V\]... \[| PREFIX\]: credentials to generate; repeatable]:SPEC:__lanyard_live' \
    '*--template=[file to render before the command starts; repeatable]:TEMPLATE\:FILE:__lanyard_files' \
    '--prefix=[prefix for all names]:TEXT: ' \
    '--upper[convert names to upper case]' \
    '*--allow-name=[allow a name that affects other programs, such as DOCKER_HOST; repeatable]:NAME: ' \
    '--watch=[on changed values: restart, signal:SIG, exit or none (default none)]:watch:(restart exit none)' \
    '--files[write values to files in memory, in the directory $LANYARD_FILES (Linux)]' \
    '--debounce=[wait until values are unchanged for MIN, at most MAX (default 2s:10s)]:MIN[\:MAX]: ' \
    '--splay=[random delay of up to this before an action (default 0s)]:DURATION: ' \
    '--interval=[time between reads of a key-value secret (default 5s)]:DURATION: ' \
    '--kill-signal=[signal that stops the command (default TERM)]:kill-signal:(HUP INT QUIT TERM USR1 USR2 WINCH CONT ALRM KILL)' \
    '--kill-timeout=[time between that signal and KILL (default 30s)]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$every[@]" \
    '(-):COMMAND (command and arguments, after --):__lanyard_programs' \
    '*::arguments: _normal'
}

_lanyard_render() {
  __lanyard_leaf \
    '--mode=[permission bits (default 0600; an existing file keeps its own)]:MODE: ' \
    '--owner=[names or numbers (default: of an existing file, else yours)]:USER[\:GROUP]: ' \
    '(-w --watch)'{-w,--watch}'[write the files again at each change of a value, until interrupted]' \
    '--exec=[run with sh if a file was written, such as "systemctl reload nginx"]:COMMAND: ' \
    '--signal=[send to the process of --pid-file if a file was written]:SIGNAL: ' \
    '--pid-file=[file with the process ID for --signal]:FILE:__lanyard_files' \
    '--debounce=[with --watch: wait until values are unchanged for MIN, at most MAX (default 2s:10s)]:MIN[\:MAX]: ' \
    '--interval=[with --watch: time between reads of a secret (default 5s)]:DURATION: ' \
    "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '*:TEMPLATE[\:FILE] (template file, - for standard input, and the file to write):__lanyard_files'
}

_lanyard_ci() {
  __lanyard_group _lanyard_ci "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ci_export() {
  __lanyard_leaf \
    '*--kv=[key-value secret, such as secret/app/db; repeatable]:SPEC:__lanyard_live' \
    '*--var=[scheduler variable; repeatable]:SPEC:__lanyard_live' \
    '*--key=[registry key, or prefix ending with /; repeatable]:SPEC:__lanyard_live' \
    '*--read=[path of the secrets service, such as database/creds/app; repeatable]:SPEC:__lanyard_live' \
    '--env[GitHub: also set environment variables of later steps]' \
    '*--allow-name=[allow a name that affects other programs, such as DOCKER_HOST; repeatable]:NAME: ' \
    '--file=[GitLab: new file (mode 0600) outside of the project directory]:FILE:__lanyard_files' \
    '--force[GitLab: replace an existing file]' \
    '--ignore-not-found[leave out secrets and keys that do not exist, with a warning]' \
    '--ci=[CI service (default: detected)]:ci:(github gitlab)' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_plan() {
  __lanyard_leaf \
    '--out=[save the plan for "apply FILE" (mode 0600, without values of secrets)]:FILE:__lanyard_files' \
    '--force[overwrite FILE]' \
    '*--service=[only objects of this service; repeatable]:service:(secrets registry box scheduler accounts)' \
    '*--kind=[only objects of this kind, such as registry.policy; repeatable]:kind:(secrets.mount secrets.auth-method secrets.auth-config secrets.auth-role secrets.token-role secrets.policy secrets.ssh-ca secrets.ssh-issuer secrets.ssh-role secrets.ssh-zero-address secrets.kv secrets.kv-metadata secrets.kv-config registry.policy registry.role registry.token registry.auth-method registry.binding-rule registry.config-entry registry.query registry.key scheduler.namespace scheduler.policy scheduler.role scheduler.token scheduler.variable box.box box.version box.provider box.release accounts.scope accounts.auth-method accounts.account accounts.user accounts.role)' \
    '*--name=[only objects with this name, as shown by "plan"; repeatable]:NAME: ' \
    '--adopt[make objects that exist members of the set, also those that differ]' \
    '--take-over[take objects over from another set]' \
    '--prune[delete members of the set that the files no longer contain]' \
    '--prune-max=[maximum number of objects to delete (default: from the set, or 10)]:N: ' \
    '--prune-all[allow that all members are deleted]' \
    '--allow-unknown[exit with 10 if objects cannot be read: they may differ]' \
    '--allow-unknown-fields[accept fields that no schema has, of newer services]' \
    '--allow-outside[allow files and links out of the directory of the set]' \
    '--identity=[secret key for an encrypted FILE (AGE-SECRET-KEY-...): -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--passphrase=[passphrase of an encrypted FILE: -, @FILE or env://NAME (default: prompt)]:SRC:__lanyard_files' \
    '--unmanaged[also show objects and names in the services that no file states]' \
    '*--ignore=[with --unmanaged: leave out objects, as KIND or "KIND NAME" with * and **; repeatable]:PATTERN: ' \
    '--show-secrets[show values of secrets, on a terminal]' \
    '--exit-zero[exit with 0 also with differences]' \
    '(-p --profile)'{-p+,--profile=}'[profile to use instead of the active one]:NAME:__lanyard_profiles' \
    '(-o --output)'{-o+,--output=}'[output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env, markdown]:output:(text json jsonl yaml table env dotenv github-env markdown)' \
    '--timeout=[request timeout per attempt (default 30s)]:DURATION: ' \
    '(-y --yes)'{-y,--yes}'[skip confirmation prompts]' \
    '--no-input[disable prompts; fail if input is required]' \
    '(-q --quiet)'{-q,--quiet}'[suppress notes, progress and messages of success]' \
    '(-v --verbose)'{-v,--verbose}'[log requests and responses to standard error, without secrets]' \
    '--debug=[append a trace of requests and responses to a file, without secrets]:FILE:__lanyard_files' \
    '--no-color[disable color (also NO_COLOR, TERM=dumb)]' \
    '(- : *)'{-h,--help}'[show the help of the command]' \
    "$namespace[@]" "$result[@]" \
    '*:FILE|DIR (files or directories of one set, or one directory for each of several sets, or a saved plan; - for standard input):__lanyard_files'
}

_lanyard_diff() {
  __lanyard_leaf \
    '--out=[save the plan for "apply FILE" (mode 0600, without values of secrets)]:FILE:__lanyard_files' \
    '--force[overwrite FILE]' \
    '*--service=[only objects of this service; repeatable]:service:(secrets registry box scheduler accounts)' \
    '*--kind=[only objects of this kind, such as registry.policy; repeatable]:kind:(secrets.mount secrets.auth-method secrets.auth-config secrets.auth-role secrets.token-role secrets.policy secrets.ssh-ca secrets.ssh-issuer secrets.ssh-role secrets.ssh-zero-address secrets.kv secrets.kv-metadata secrets.kv-config registry.policy registry.role registry.token registry.auth-method registry.binding-rule registry.config-entry registry.query registry.key scheduler.namespace scheduler.policy scheduler.role scheduler.token scheduler.variable box.box box.version box.provider box.release accounts.scope accounts.auth-method accounts.account accounts.user accounts.role)' \
    '*--name=[only objects with this name, as shown by "plan"; repeatable]:NAME: ' \
    '--adopt[make objects that exist members of the set, also those that differ]' \
    '--take-over[take objects over from another set]' \
    '--prune[delete members of the set that the files no longer contain]' \
    '--prune-max=[maximum number of objects to delete (default: from the set, or 10)]:N: ' \
    '--prune-all[allow that all members are deleted]' \
    '--allow-unknown[exit with 10 if objects cannot be read: they may differ]' \
    '--allow-unknown-fields[accept fields that no schema has, of newer services]' \
    '--allow-outside[allow files and links out of the directory of the set]' \
    '--identity=[secret key for an encrypted FILE (AGE-SECRET-KEY-...): -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--passphrase=[passphrase of an encrypted FILE: -, @FILE or env://NAME (default: prompt)]:SRC:__lanyard_files' \
    '--unmanaged[also show objects and names in the services that no file states]' \
    '*--ignore=[with --unmanaged: leave out objects, as KIND or "KIND NAME" with * and **; repeatable]:PATTERN: ' \
    '--show-secrets[show values of secrets, on a terminal]' \
    '--exit-zero[exit with 0 also with differences]' \
    '(-p --profile)'{-p+,--profile=}'[profile to use instead of the active one]:NAME:__lanyard_profiles' \
    '(-o --output)'{-o+,--output=}'[output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env, markdown]:output:(text json jsonl yaml table env dotenv github-env markdown)' \
    '--timeout=[request timeout per attempt (default 30s)]:DURATION: ' \
    '(-y --yes)'{-y,--yes}'[skip confirmation prompts]' \
    '--no-input[disable prompts; fail if input is required]' \
    '(-q --quiet)'{-q,--quiet}'[suppress notes, progress and messages of success]' \
    '(-v --verbose)'{-v,--verbose}'[log requests and responses to standard error, without secrets]' \
    '--debug=[append a trace of requests and responses to a file, without secrets]:FILE:__lanyard_files' \
    '--no-color[disable color (also NO_COLOR, TERM=dumb)]' \
    '(- : *)'{-h,--help}'[show the help of the command]' \
    "$namespace[@]" "$result[@]" \
    '*:FILE|DIR (files or directories of one set, or one directory for each of several sets, or a saved plan; - for standard input):__lanyard_files'
}

_lanyard_apply() {
  __lanyard_leaf \
    '--saved[accept only a saved plan, which cannot be mistaken for a directory or a document]' \
    '--dry-run[show the plan without sending any change]' \
    '*--service=[only objects of this service; repeatable]:service:(secrets registry box scheduler accounts)' \
    '*--kind=[only objects of this kind, such as registry.policy; repeatable]:kind:(secrets.mount secrets.auth-method secrets.auth-config secrets.auth-role secrets.token-role secrets.policy secrets.ssh-ca secrets.ssh-issuer secrets.ssh-role secrets.ssh-zero-address secrets.kv secrets.kv-metadata secrets.kv-config registry.policy registry.role registry.token registry.auth-method registry.binding-rule registry.config-entry registry.query registry.key scheduler.namespace scheduler.policy scheduler.role scheduler.token scheduler.variable box.box box.version box.provider box.release accounts.scope accounts.auth-method accounts.account accounts.user accounts.role)' \
    '*--name=[only objects with this name, as shown by "plan"; repeatable]:NAME: ' \
    '--adopt[make objects that exist members of the set, also those that differ]' \
    '--take-over[take objects over from another set]' \
    '--prune[delete members of the set that the files no longer contain]' \
    '--prune-max=[maximum number of objects to delete (default: from the set, or 10)]:N: ' \
    '--prune-all[allow that all members are deleted]' \
    '--allow-unknown[apply the rest if objects cannot be read]' \
    '--allow-unknown-fields[accept fields that no schema has, of newer services]' \
    '--allow-outside[allow files and links out of the directory of the set]' \
    '--parallelism=[operations at a time (default 4)]:N: ' \
    '--continue[continue with operations that do not depend on a failed one]' \
    '--undo=[new file to write, with the documents that undo this apply]:UNDO-FILE:__lanyard_files' \
    '*--undo-recipient=[encrypt UNDO-FILE, with previous values of secrets; repeatable]:age1...: ' \
    '--undo-passphrase=[encrypt UNDO-FILE with a passphrase: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--force[overwrite UNDO-FILE]' \
    '--identity=[secret key for an encrypted FILE (AGE-SECRET-KEY-...): -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--passphrase=[passphrase of an encrypted FILE: -, @FILE or env://NAME (default: prompt)]:SRC:__lanyard_files' \
    '--steal-lock[take over the lock of an apply that did not end]' \
    '--detailed-exit-code[exit with 10 if something was changed]' \
    "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '*:FILE|DIR (files or directories of one set, one directory for each of several sets, or a saved plan):__lanyard_files'
}

_lanyard_export() {
  __lanyard_leaf \
    '*--service=[only objects of this service; repeatable]:service:(secrets registry box scheduler accounts)' \
    '*--kind=[only objects of this kind, such as registry.policy; repeatable]:kind:(secrets.mount secrets.auth-method secrets.auth-config secrets.auth-role secrets.token-role secrets.policy secrets.ssh-ca secrets.ssh-issuer secrets.ssh-role secrets.ssh-zero-address secrets.kv secrets.kv-metadata secrets.kv-config registry.policy registry.role registry.token registry.auth-method registry.binding-rule registry.config-entry registry.query registry.key scheduler.namespace scheduler.policy scheduler.role scheduler.token scheduler.variable box.box box.version box.provider box.release accounts.scope accounts.auth-method accounts.account accounts.user accounts.role)' \
    '--secrets=[secrets in the files: unmanaged (default, no values), or references to variables or to DIR/.secrets.json]:secrets:(unmanaged env file)' \
    '--values[write the values of registry keys, unless their files say "sensitive: true"]' \
    '--no-targets[write set.yaml without targets, for a set that is applied to another cluster]' \
    '--check[write nothing: compare the files with what would be written, and exit with 10 if they differ]' \
    '--skip-forbidden[leave out objects that the tokens do not permit to list or read]' \
    "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':DIR|- (directory; - for standard output):_files -/'
}

_lanyard_import() {
  __lanyard_leaf \
    '--secrets=[secrets in the document: unmanaged (default, no values), or references to variables or to DIR/.secrets.json]:secrets:(unmanaged env file)' \
    '--values[write the value of a registry key, unless its file says "sensitive: true"]' \
    '--force[replace the document of the object]' \
    "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':KIND (kind of the object, such as scheduler.variable):(secrets.mount secrets.auth-method secrets.auth-config secrets.auth-role secrets.token-role secrets.policy secrets.ssh-ca secrets.ssh-issuer secrets.ssh-role secrets.ssh-zero-address secrets.kv secrets.kv-metadata secrets.kv-config registry.policy registry.role registry.token registry.auth-method registry.binding-rule registry.config-entry registry.query registry.key scheduler.namespace scheduler.policy scheduler.role scheduler.token scheduler.variable box.box box.version box.provider box.release accounts.scope accounts.auth-method accounts.account accounts.user accounts.role)' \
    ':NAME (name of the object, as shown by "plan"):__lanyard_text' \
    ':DIR|FILE|- (directory or file to write; - for standard output):__lanyard_files'
}

_lanyard_validate() {
  __lanyard_leaf \
    '--allow-unknown-fields[accept fields that no schema has, of newer services]' \
    '--init[write DIR/set.yaml, with a new ID and the targets of the services that respond]' \
    '--schema[print the JSON Schema of all kinds, of one KIND, or of the output of plan or apply]' \
    "$out[@]" "$result[@]" "$every[@]" \
    '*:FILE|DIR (files or directories; - for standard input):__lanyard_files'
}

_lanyard_login() {
  __lanyard_leaf \
    "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '*:SERVICE (services to log in to (default\: all with a remembered login)):(secrets registry box scheduler accounts)'
}

_lanyard_logout() {
  __lanyard_leaf \
    "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '*:SERVICE (services to log out of (default\: all with a stored token)):(secrets registry box scheduler accounts)'
}

_lanyard_status() {
  __lanyard_leaf \
    '--check[fail unless all configured services and their tokens are usable]' \
    '(-w --watch)'{-w,--watch}'[show the result again at each change, until interrupted]' \
    '--interval=[with --watch: poll at this interval instead of waiting for changes]:DURATION: ' \
    "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh() {
  __lanyard_group _lanyard_ssh "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_sign() {
  __lanyard_leaf \
    '--key=[public key file (default ~/.ssh/id_ed25519.pub, else id_ecdsa, id_rsa)]:FILE|-:__lanyard_files' \
    '*'{--principals=,--valid-principals=}'[principals: user names or host names]:A,B: ' \
    '--cert-type=[certificate type (default user)]:cert-type:(user host)' \
    '--ttl=[validity period (default: set by the role)]:DURATION: ' \
    '--key-id=[key ID, if the role allows it]:ID: ' \
    '*'{--extension=,--extensions=}'[extension, replaces the extensions of the role; repeatable]:K[=V]: ' \
    '*'{--critical-option=,--critical-options=}'[critical option; repeatable]:K=V: ' \
    '--out=[certificate file (default: next to the key; - for standard output)]:FILE|-:__lanyard_files' \
    '--agent[add the key and certificate to the ssh-agent until it expires]' \
    '*--batch=[key files, directories or JSON lines (- or FILE.jsonl); repeatable]:PATH:__lanyard_files' \
    '--concurrency=[with --batch: concurrent requests (default 16)]:N: ' \
    '--if-needed[only if the certificate is missing, differs or expires soon]' \
    '--for-login[for ssh_config, with --if-needed: no other settings than --profile or --address]' \
    '--record=[record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)]:LOCATION: ' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$result[@]" "$every[@]" \
    '::ROLE (role to sign with (default\: from settings)):__lanyard_live'
}

_lanyard_ssh_issue() {
  __lanyard_leaf \
    '--key-type=[key type (default rsa)]:key-type:(rsa ed25519 ec)' \
    '--key-bits=[key size (rsa: 2048, 3072, 4096; ec: 256, 384, 521)]:N: ' \
    '*'{--principals=,--valid-principals=}'[principals: user names or host names]:A,B: ' \
    '--cert-type=[certificate type (default user)]:cert-type:(user host)' \
    '--ttl=[validity period (default: set by the role)]:DURATION: ' \
    '--key-id=[key ID, if the role allows it]:ID: ' \
    '*'{--extension=,--extensions=}'[extension, replaces the extensions of the role; repeatable]:K[=V]: ' \
    '*'{--critical-option=,--critical-options=}'[critical option; repeatable]:K=V: ' \
    '--out=[private key file; the others go next to it (required)]:NAME:__lanyard_files' \
    '--force[overwrite existing files]' \
    '--record=[record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)]:LOCATION: ' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$result[@]" "$every[@]" \
    '::ROLE (role to sign with (default\: from settings)):__lanyard_live'
}

_lanyard_ssh_creds() {
  __lanyard_leaf \
    '--ip=[IP address of the host (required)]:IP: ' \
    '--username=[user to log in as (default: set by the role)]:USER: ' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::ROLE (role of key type otp (default\: from settings)):__lanyard_live'
}

_lanyard_ssh_lookup() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':IP (IP address of the host):__lanyard_text'
}

_lanyard_ssh_verify() {
  __lanyard_leaf \
    '--pam[verify for pam_exec: exit code 0 accepts, 1 rejects]' \
    '*--ip=[with --pam: additional addresses of this host (NAT)]:IP,IP: ' \
    '*--allowed-cidr=[with --pam: blocks of additional addresses]:CIDR,CIDR: ' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::SRC (source of the password\: -, @FILE or env\://NAME):__lanyard_files'
}

_lanyard_ssh_connect() {
  __lanyard_leaf \
    '--role=[role (default: from settings)]:ROLE:__lanyard_live' \
    '--mode=[login method (default: key type of the role)]:mode:(ca otp)' \
    '--host-ca=[mount of the CA that host keys must be signed by (default: known_hosts)]:PATH:__lanyard_live' \
    '*--principals=[principals (default: from settings, else the user)]:A,B: ' \
    '--ttl=[validity period (default 2m)]:DURATION: ' \
    '*--extension=[additional extension; repeatable]:K[=V]: ' \
    '--key=[sign this key instead of an in-memory key]:FILE:__lanyard_files' \
    '--agent-key[sign the first key of the ssh-agent instead]' \
    '--revoked=[revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)]:LOCATION: ' \
    '--ip=[address for the one-time password (default: of the host)]:IP: ' \
    '--record=[record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)]:LOCATION: ' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$every[@]" \
    ':[USER@]HOST (destination as for ssh\: host name, address or Host of ssh_config):__lanyard_text' \
    '*:ARGUMENT (after --\: ssh options and a command):__lanyard_text'
}

_lanyard_ssh_doctor() {
  __lanyard_leaf \
    '--role=[log in as `ssh connect` with this role (default: as ssh)]:ROLE:__lanyard_live' \
    '--mode=[login method (default: key type of the role)]:mode:(ca otp)' \
    '--host-ca=[mount of the CA that host keys must be signed by (default: known_hosts)]:PATH:__lanyard_live' \
    '*--principals=[principals (default: from settings, else the user)]:A,B: ' \
    '--ttl=[validity period (default 2m)]:DURATION: ' \
    '*--extension=[additional extension; repeatable]:K[=V]: ' \
    '--key=[private key, public key or certificate (default: keys of ssh)]:FILE:__lanyard_files' \
    '--agent-key[sign the first key of the ssh-agent instead]' \
    '--revoked=[revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)]:LOCATION: ' \
    '--ip=[address for the one-time password (default: of the host)]:IP: ' \
    '--record=[record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)]:LOCATION: ' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    '*--log=[output of ssh -v or log of sshd, instead of a login; repeatable]:FILE|-:__lanyard_files' \
    '--sshd-config=[on the host: check this sshd_config, instead of a login]:FILE:__lanyard_files' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':[USER@]HOST (destination as for ssh\: host name, address or Host of ssh_config):__lanyard_text' \
    '*:ARGUMENT (after --\: ssh options):__lanyard_text'
}

_lanyard_ssh_config() {
  __lanyard_leaf \
    '--role=[role to sign with (default: from settings)]:ROLE:__lanyard_live' \
    '--user=[login user and principal (default: ssh and role)]:USER: ' \
    '--out=[include file (default: in ~/.ssh/lanyard)]:FILE:__lanyard_files' \
    '--install[add the Include line to the top of ~/.ssh/config]' \
    '--timeout=[timeout per renewal attempt, at most 3 (default 1s)]:DURATION: ' \
    '--dry-run[print the file without writing it]' \
    '--record=[record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)]:LOCATION: ' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    '(-p --profile)'{-p+,--profile=}'[profile to use instead of the active one]:NAME:__lanyard_profiles' \
    '(-o --output)'{-o+,--output=}'[output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env]:output:(text json jsonl yaml table env dotenv github-env)' \
    '(-y --yes)'{-y,--yes}'[skip confirmation prompts]' \
    '--no-input[disable prompts; fail if input is required]' \
    '(-q --quiet)'{-q,--quiet}'[suppress notes, progress and messages of success]' \
    '(-v --verbose)'{-v,--verbose}'[log requests and responses to standard error, without secrets]' \
    '--debug=[append a trace of requests and responses to a file, without secrets]:FILE:__lanyard_files' \
    '--no-color[disable color (also NO_COLOR, TERM=dumb)]' \
    '(- : *)'{-h,--help}'[show the help of the command]' \
    "$service[@]" "$namespace[@]" "$result[@]" \
    '*:HOST (host names or patterns):__lanyard_text'
}

_lanyard_ssh_proxy() {
  __lanyard_leaf \
    '--role=[role to sign with (default: no renewal)]:ROLE:__lanyard_live' \
    '--key=[public key file (default ~/.ssh/id_ed25519.pub, else id_ecdsa, id_rsa)]:FILE:__lanyard_files' \
    '*--principals=[principals: user names]:A,B: ' \
    '--record=[record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)]:LOCATION: ' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':HOST (host name or address):__lanyard_text' \
    ':PORT (TCP port):__lanyard_text'
}

_lanyard_ssh_trust() {
  __lanyard_leaf \
    '*--hosts=[host patterns that the CA signs keys for; repeatable]:PATTERN: ' \
    '--known-hosts=[known_hosts file (default ~/.ssh/known_hosts)]:FILE:__lanyard_files' \
    '--users=[TrustedUserCAKeys file]:FILE:__lanyard_files' \
    '*--issuer=[only these issuers, by name or ID (OpenBao); repeatable]:ISSUER: ' \
    '--bundle=[read the public keys from a file, one per line, instead of the service]:FILE|-:__lanyard_files' \
    '--remove=[remove this CA instead (SHA256:...); needs no service]:FINGERPRINT: ' \
    '--dry-run[print the lines without writing them]' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    '--revoked=[install the revocation list as RevokedKeys file]:FILE:__lanyard_files' \
    '--list=[revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)]:LOCATION: ' \
    '--allow-older[with --revoked: replace a newer list]' \
    '(-w --watch)'{-w,--watch}'[show the result again at each change, until interrupted]' \
    '--interval=[with --watch: poll at this interval instead of waiting for changes]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_host() {
  __lanyard_group _lanyard_ssh_host "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_host_enroll() {
  __lanyard_leaf \
    '--role=[role that signs host keys (default: no host certificate)]:ROLE:__lanyard_live' \
    '--mount=[mount path of the engine that signs host keys (default ssh)]:PATH:__lanyard_live' \
    '*--principals=[names of the host (default: the names of this machine)]:A,B: ' \
    '*--key=[host key to sign; repeatable (default: every host key of sshd)]:FILE:__lanyard_files' \
    '*--user-ca=[mount whose user certificates are accepted; repeatable]:MOUNT:__lanyard_live' \
    '--revoked=[revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)]:LOCATION: ' \
    '--method=[how renewals log in (default token: as configured)]:method:(token approle cert kubernetes)' \
    '--role-id=[approle: role ID]:ID: ' \
    '--wrapped-secret-id=[approle: source of the wrapping token of a secret ID: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--secret-id=[approle: source of the secret ID: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--login-role=[cert, kubernetes: role of the auth method]:ROLE: ' \
    '--login-path=[mount path below auth/ (default: name of the method)]:MOUNT:__lanyard_live' \
    '--token-file=[token: file with the token, read at each renewal]:FILE:__lanyard_files' \
    '--timer[write systemd units although systemd does not run]' \
    '--no-timer[do not install a timer]' \
    '--unit-dir=[directory of the systemd units (default /etc/systemd/system)]:DIR:__lanyard_files' \
    '--reload=[shell command that reloads sshd (default: systemctl, or SIGHUP)]:COMMAND: ' \
    '--no-reload[do not reload sshd]' \
    '--sshd-config=[configuration of sshd (default /etc/ssh/sshd_config)]:FILE:__lanyard_files' \
    '--sshd-config-dir=[directory for the settings (default: first included directory)]:DIR:__lanyard_files' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_host_renew() {
  __lanyard_leaf \
    '--sshd-config=[configuration of sshd (default /etc/ssh/sshd_config)]:FILE:__lanyard_files' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_host_status() {
  __lanyard_leaf \
    '--sshd-config=[configuration of sshd (default /etc/ssh/sshd_config)]:FILE:__lanyard_files' \
    '--offline[check this machine only]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_host_remove() {
  __lanyard_leaf \
    '--sshd-config=[configuration of sshd (default /etc/ssh/sshd_config)]:FILE:__lanyard_files' \
    "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_revoke() {
  __lanyard_leaf \
    '*--serial=[serial number or range, decimal or 0x; repeatable]:N|N-M: ' \
    '*--key-id=[key ID of certificates; repeatable]:ID: ' \
    '*--fingerprint=[fingerprint of a key; repeatable]:SHA256\:...: ' \
    '*--ca=[CA of --serial and --key-id (default: all of the mount)]:FILE|SHA256\:...|any: ' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    '--user=[valid certificates of this user, as in "lanyard ssh history"]:NAME: ' \
    '--record=[record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)]:LOCATION: ' \
    '*--audit-log=[audit log of the secrets service instead; repeatable]:FILE|-:__lanyard_files' \
    '--list=[revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)]:LOCATION: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '*:CERT|KEY (certificate or public key file, - for standard input):__lanyard_files'
}

_lanyard_ssh_revoked() {
  __lanyard_group _lanyard_ssh_revoked "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_revoked_list() {
  __lanyard_leaf \
    '--list=[revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)]:LOCATION: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_revoked_check() {
  __lanyard_leaf \
    '--list=[revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)]:LOCATION: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '*:CERT|KEY (certificate or public key file, - for standard input):__lanyard_files'
}

_lanyard_ssh_revoked_remove() {
  __lanyard_leaf \
    '*--serial=[serial number or range, decimal or 0x; repeatable]:N|N-M: ' \
    '*--key-id=[key ID of certificates; repeatable]:ID: ' \
    '*--fingerprint=[fingerprint of a key; repeatable]:SHA256\:...: ' \
    '*--ca=[CA of --serial and --key-id (default: all of the mount)]:FILE|SHA256\:...|any: ' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    '--list=[revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)]:LOCATION: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '*:CERT|KEY (certificate or public key file, - for standard input):__lanyard_files'
}

_lanyard_ssh_explain() {
  __lanyard_leaf \
    '--key=[public key, for roles that restrict key types]:FILE|-:__lanyard_files' \
    '*'{--principals=,--valid-principals=}'[principals: user names or host names]:A,B: ' \
    '--cert-type=[certificate type (default user)]:cert-type:(user host)' \
    '--ttl=[validity period (default: set by the role)]:DURATION: ' \
    '--key-id=[key ID, if the role allows it]:ID: ' \
    '*'{--extension=,--extensions=}'[extension, replaces the extensions of the role; repeatable]:K[=V]: ' \
    '*'{--critical-option=,--critical-options=}'[critical option; repeatable]:K=V: ' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::ROLE (role to check (default\: from settings)):__lanyard_live'
}

_lanyard_ssh_history() {
  __lanyard_leaf \
    '--user=[requested by: display name, username or entity ID]:NAME: ' \
    '--principal=[valid for this principal]:NAME: ' \
    '--role=[signed with this role]:ROLE:__lanyard_live' \
    '--serial=[serial number, decimal or 0x and hexadecimal]:N: ' \
    '--key-id=[with this key ID]:ID: ' \
    '--since=[signed since: date, time (RFC 3339) or duration (7d)]:TIME: ' \
    '--until=[signed until, as --since]:TIME: ' \
    '--valid[still valid]' \
    '--limit=[show only the last N certificates]:N: ' \
    '--record=[record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)]:LOCATION: ' \
    '*--audit-log=[audit log of the secrets service instead; repeatable]:FILE|-:__lanyard_files' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_list() {
  __lanyard_leaf \
    "$out[@]" "$result[@]" "$every[@]" \
    '*:FILE (more certificate files):__lanyard_files'
}

_lanyard_ssh_renew() {
  __lanyard_leaf \
    '--all[also certificates that are not due]' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '*:FILE (certificate files (default\: in ~/.ssh and ~/.ssh/lanyard)):__lanyard_files'
}

_lanyard_ssh_inspect() {
  __lanyard_leaf \
    '--lint[report problems; exit code 1 if one is an error]' \
    '--revoked=[show whether this revocation list has it]:LOCATION: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::FILE|- (key or certificate file (default\: certificate of your default key)):__lanyard_files'
}

_lanyard_ssh_ca() {
  __lanyard_group _lanyard_ssh_ca "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_ca_create() {
  __lanyard_leaf \
    '--key-type=[rsa (default), ec, ed25519, or an OpenSSH key type]:key-type:(rsa ec ed25519 ssh-rsa ecdsa-sha2-nistp256 ecdsa-sha2-nistp384 ecdsa-sha2-nistp521 ssh-ed25519)' \
    '--key-bits=[key size (rsa: default 4096; ec: 256, 384, 521)]:N: ' \
    '--private-key=[private key to import]:FILE|-:__lanyard_files' \
    '--public-key=[public key to import]:FILE:__lanyard_files' \
    '--managed-key-name=[name of the managed key to use]:NAME: ' \
    '--managed-key-id=[ID of the managed key to use]:ID: ' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_ca_get() {
  __lanyard_leaf \
    '--snapshot=[loaded snapshot to read from]:ID: ' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_ca_public-key() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_ca_delete() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_ca_recover() {
  __lanyard_leaf \
    '--snapshot=[loaded snapshot (required)]:ID: ' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_ca_rotate() {
  __lanyard_group _lanyard_ssh_ca_rotate "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_ca_rotate_start() {
  __lanyard_leaf \
    '--key-type=[rsa (default), ec, ed25519, or an OpenSSH key type]:key-type:(rsa ec ed25519 ssh-rsa ecdsa-sha2-nistp256 ecdsa-sha2-nistp384 ecdsa-sha2-nistp521 ssh-ed25519)' \
    '--key-bits=[key size (rsa: default 4096; ec: 256, 384, 521)]:N: ' \
    '--private-key=[private key to import]:FILE|-:__lanyard_files' \
    '--public-key=[public key to import]:FILE:__lanyard_files' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_ca_rotate_trust() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_ca_rotate_switch() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_ca_rotate_retire() {
  __lanyard_leaf \
    '--force[do not wait: certificates of the old CA that are still valid can be rejected]' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_ca_rotate_rollback() {
  __lanyard_leaf \
    '--delete[delete the new CA too, and end the rotation]' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_ca_rotate_status() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_issuer() {
  __lanyard_group _lanyard_ssh_issuer "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_issuer_list() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_issuer_get() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::ISSUER (name or ID of the issuer (default\: the default issuer)):__lanyard_live'
}

_lanyard_ssh_issuer_import() {
  __lanyard_leaf \
    '--key-type=[rsa (default), ec, ed25519, or an OpenSSH key type]:key-type:(rsa ec ed25519 ssh-rsa ecdsa-sha2-nistp256 ecdsa-sha2-nistp384 ecdsa-sha2-nistp521 ssh-ed25519)' \
    '--key-bits=[key size (rsa: default 4096; ec: 256, 384, 521)]:N: ' \
    '--private-key=[private key to import]:FILE|-:__lanyard_files' \
    '--public-key=[public key to import]:FILE:__lanyard_files' \
    '--default[make it the default issuer]' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::NAME (name of the new issuer (default\: none; it has an ID)):__lanyard_text'
}

_lanyard_ssh_issuer_use() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ISSUER (name or ID of the issuer, or "default"):__lanyard_live'
}

_lanyard_ssh_issuer_delete() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ISSUER (name or ID of the issuer, or "default"):__lanyard_live'
}

_lanyard_ssh_record() {
  __lanyard_group _lanyard_ssh_record "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_record_prune() {
  __lanyard_leaf \
    '--before=[a date, a time (RFC 3339), or a duration such as 90d (required)]:TIME: ' \
    '--record=[record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)]:LOCATION: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_role() {
  __lanyard_group _lanyard_ssh_role "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_role_list() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_role_get() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (role to show):__lanyard_live'
}

_lanyard_ssh_role_put() {
  __lanyard_leaf \
    '--key-type=[ca: sign keys (default); otp: one-time passwords]:key-type:(ca otp)' \
    '--allow-user-certificates[allow user certificates]' \
    '--allow-host-certificates[allow host certificates]' \
    '*--allowed-users=[allowed principals; * for any]:A,B: ' \
    '--allowed-users-template[allow identity templates in --allowed-users]' \
    '--default-user=[default principal]:USER: ' \
    '--default-user-template[allow identity templates in --default-user]' \
    '*--allowed-domains=[allowed domains of host certificates; * for any]:A,B: ' \
    '--allowed-domains-template[allow identity templates in --allowed-domains]' \
    '--allow-bare-domains[allow the domains themselves as principals]' \
    '--allow-subdomains[allow subdomains as principals]' \
    '--allow-empty-principals[allow certificates without principals, valid for anyone]' \
    '--ttl=[default validity period]:DURATION: ' \
    '--max-ttl=[maximum validity period]:DURATION: ' \
    '--not-before-duration=[backdating of the validity period (default 30s)]:DURATION: ' \
    '*'{--default-extension=,--default-extensions=}'[default extension; repeatable]:K[=V]: ' \
    '--default-extensions-template[allow identity templates in --default-extension]' \
    '*--allowed-extensions=[allowed extensions; * for any]:A,B: ' \
    '*'{--default-critical-option=,--default-critical-options=}'[default critical option; repeatable]:K=V: ' \
    '*--allowed-critical-options=[allowed critical options (default: any)]:A,B: ' \
    '--allow-user-key-ids[allow key IDs in requests]' \
    '--key-id-format=[key ID: {{token_display_name}}, {{role_name}}, {{public_key_hash}}]:TEMPLATE: ' \
    '*'{--allowed-user-key-length=,--allowed-user-key-lengths=}'[allowed key type and sizes; repeatable]:TYPE=BITS[,BITS]: ' \
    '--algorithm-signer=[signature algorithm of an RSA CA (ssh-rsa: SHA-1, insecure)]:algorithm-signer:(default ssh-rsa rsa-sha2-256 rsa-sha2-512)' \
    '--issuer-ref=[issuer name or ID (OpenBao)]:REF:__lanyard_live' \
    '--allow-commas-in-identity-templates[allow commas in values of identity templates (OpenBao)]' \
    '*--cidr-list=[otp: allowed addresses]:CIDR,CIDR: ' \
    '*--exclude-cidr-list=[otp: excluded addresses]:CIDR,CIDR: ' \
    '--port=[otp: port of the host (default 22)]:N: ' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(allow-user-certificates allow-host-certificates allowed-users allowed-users-template default-user default-user-template allowed-domains allowed-domains-template allow-bare-domains allow-subdomains allow-empty-principals ttl max-ttl not-before-duration default-extension default-extensions-template allowed-extensions default-critical-option allowed-critical-options allow-user-key-ids key-id-format allowed-user-key-length algorithm-signer issuer-ref allow-commas-in-identity-templates cidr-list exclude-cidr-list port)' \
    '--replace[reset all other fields to their defaults]' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (role to write):__lanyard_live'
}

_lanyard_ssh_role_copy() {
  __lanyard_leaf \
    '--to-mount=[mount path of the target (default: as --mount)]:PATH:__lanyard_live' \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':SOURCE (role to copy):__lanyard_live' \
    ':TARGET (name of the new role):__lanyard_text'
}

_lanyard_ssh_role_edit() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (role to edit):__lanyard_live'
}

_lanyard_ssh_role_delete() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (role to delete):__lanyard_live'
}

_lanyard_ssh_zero-address() {
  __lanyard_group _lanyard_ssh_zero-address "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_zero-address_get() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_zero-address_put() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '*:ROLE (role names):__lanyard_live'
}

_lanyard_ssh_zero-address_delete() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_ssh_tidy() {
  __lanyard_leaf \
    '--mount=[SSH mount path (default: from settings, else ssh)]:PATH:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_kv() {
  __lanyard_group _lanyard_kv "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_kv_get() {
  __lanyard_leaf \
    '(- : *)--version=[version to read (default: latest)]:N: ' \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    '(-w --watch)'{-w,--watch}'[show the result again at each change, until interrupted]' \
    '--interval=[with --watch: poll at this interval instead of waiting for changes]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and name of the secret, such as secret/app/db):__lanyard_live'
}

_lanyard_kv_put() {
  __lanyard_leaf \
    '--in=[keys and values as a JSON object; - for standard input]:FILE|-:__lanyard_files' \
    '--cas=[write only if N is the current version (0: none exists)]:N: ' \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and name of the secret, such as secret/app/db):__lanyard_live' \
    '*:K=V|K=@FILE|K=- (keys and values; the values are strings):__lanyard_text'
}

_lanyard_kv_patch() {
  __lanyard_leaf \
    '--in=[keys and values as a JSON object; - for standard input]:FILE|-:__lanyard_files' \
    '*'{--remove=,--remove-data=}'[key to remove; repeatable]:KEY: ' \
    '--cas=[write only if N is the current version (0: none exists)]:N: ' \
    '--method=[send a PATCH request, or read, merge and write (default: patch, else rw)]:method:(patch rw)' \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and name of the secret, such as secret/app/db):__lanyard_live' \
    '*:K=V|K=@FILE|K=- (keys to update; the values are strings):__lanyard_text'
}

_lanyard_kv_edit() {
  __lanyard_leaf \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and name of the secret, such as secret/app/db):__lanyard_live'
}

_lanyard_kv_list() {
  __lanyard_leaf \
    '--recursive[list all secrets below the path, with full paths]' \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::PATH (mount and directory, such as secret/app):__lanyard_live'
}

_lanyard_kv_copy() {
  __lanyard_leaf \
    '--recursive[all secrets below the directory SRC]' \
    '--overwrite[replace secrets that exist and differ]' \
    '--all-versions[all versions with data; DST must have none]' \
    '--allow-partial[only the secrets that the token has permission to read]' \
    '--to-profile=[profile of the destination (default: of the source)]:NAME:__lanyard_profiles' \
    '--to-namespace=[namespace of the destination]:NS:__lanyard_live' \
    '--dry-run[show what would be written without sending any change]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':SRC (mount and name of the secret, or of a directory with --recursive):__lanyard_live' \
    ':DST (mount and name of the copy; with a slash at the end, the directory for it):__lanyard_live'
}

_lanyard_kv_move() {
  __lanyard_leaf \
    '--recursive[all secrets below the directory SRC]' \
    '--overwrite[replace secrets that exist and differ]' \
    '--all-versions[all versions with data; DST must have none]' \
    '--allow-partial[only the secrets that the token has permission to read]' \
    '--to-profile=[profile of the destination (default: of the source)]:NAME:__lanyard_profiles' \
    '--to-namespace=[namespace of the destination]:NS:__lanyard_live' \
    '--dry-run[show what would be written without sending any change]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':SRC (mount and name of the secret, or of a directory with --recursive):__lanyard_live' \
    ':DST (mount and name of the copy; with a slash at the end, the directory for it):__lanyard_live'
}

_lanyard_kv_search() {
  __lanyard_leaf \
    '--values[search values too]' \
    '--regex[TEXT is a regular expression (RE2)]' \
    '(-i --ignore-case)'{-i,--ignore-case}'[ignore case]' \
    '(--reveal --show-values)'{--reveal,--show-values}'[show the values]' \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':TEXT (text to find):__lanyard_text' \
    '::PATH (mount and directory, such as secret/app):__lanyard_live'
}

_lanyard_kv_diff() {
  __lanyard_leaf \
    '--recursive[compare all secrets below two directories]' \
    '(- : *)--version=[version of A to compare (default: latest)]:N: ' \
    '--with-version=[version of B, or of A without B, to compare with (default: latest)]:N: ' \
    '--with=[JSON object of keys and values to compare with]:FILE|-:__lanyard_files' \
    '--with-profile=[profile of B (without B: the same path there)]:NAME:__lanyard_profiles' \
    '--with-namespace=[namespace of B (without B: the same path there)]:NS:__lanyard_live' \
    '--allow-partial[compare only the secrets that the token has permission to read]' \
    '(--reveal --show-values)'{--reveal,--show-values}'[show the values]' \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':A (mount and name of the secret, such as secret/app/db):__lanyard_live' \
    '::B (the other one):__lanyard_live'
}

_lanyard_kv_export() {
  __lanyard_leaf \
    '*--recipient=[encrypt for the owner of this key; repeatable]:age1...: ' \
    '--passphrase=[passphrase of the file: -, @FILE or env://NAME (default: prompt)]:SRC:__lanyard_files' \
    '--plain[write the values unencrypted]' \
    '--all-versions[all versions with data]' \
    '--allow-partial[only secrets that the token has permission to read]' \
    '--force[overwrite FILE]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and directory, such as secret/app):__lanyard_live' \
    '::FILE|- (file to write (default\: standard output)):__lanyard_files'
}

_lanyard_kv_import() {
  __lanyard_leaf \
    '--identity=[secret key of a recipient (AGE-SECRET-KEY-...): -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--passphrase=[passphrase of the file: -, @FILE or env://NAME (default: prompt)]:SRC:__lanyard_files' \
    '--overwrite[replace secrets that exist and differ]' \
    '--dry-run[show what would be written without sending any change]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':FILE|- (exported file, or standard input):__lanyard_files' \
    '::PATH (mount and directory):__lanyard_live'
}

_lanyard_kv_delete() {
  __lanyard_leaf \
    '*--versions=[version numbers]:N,N: ' \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and name of the secret, such as secret/app/db):__lanyard_live'
}

_lanyard_kv_undelete() {
  __lanyard_leaf \
    '*--versions=[version numbers]:N,N: ' \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and name of the secret, such as secret/app/db):__lanyard_live'
}

_lanyard_kv_rollback() {
  __lanyard_leaf \
    '(- : *)--version=[version whose data to write (required)]:N: ' \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and name of the secret, such as secret/app/db):__lanyard_live'
}

_lanyard_kv_destroy() {
  __lanyard_leaf \
    '*--versions=[version numbers]:N,N: ' \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and name of the secret, such as secret/app/db):__lanyard_live'
}

_lanyard_kv_metadata() {
  __lanyard_group _lanyard_kv_metadata "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_kv_metadata_get() {
  __lanyard_leaf \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and name of the secret, such as secret/app/db):__lanyard_live'
}

_lanyard_kv_metadata_put() {
  __lanyard_leaf \
    '--max-versions=[versions to keep; the larger of secret and mount applies (0: inherit)]:N: ' \
    '--cas-required=[require --cas for every write]:cas-required:(true false)' \
    '--delete-version-after=[age at which versions are deleted (0s: never)]:DURATION: ' \
    '*--custom-metadata=[custom metadata, replaces the existing; repeatable]:K=V: ' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(max-versions cas-required delete-version-after custom-metadata)' \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and name of the secret, such as secret/app/db):__lanyard_live'
}

_lanyard_kv_metadata_patch() {
  __lanyard_leaf \
    '--max-versions=[versions to keep; the larger of secret and mount applies (0: inherit)]:N: ' \
    '--cas-required=[require --cas for every write]:cas-required:(true false)' \
    '--delete-version-after=[age at which versions are deleted (0s: never)]:DURATION: ' \
    '*--custom-metadata=[custom metadata to add or change; repeatable]:K=V: ' \
    '*--remove-custom-metadata=[custom metadata to remove; repeatable]:K: ' \
    '--method=[send a PATCH request, or read, merge and write (default: patch, else rw)]:method:(patch rw)' \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and name of the secret, such as secret/app/db):__lanyard_live'
}

_lanyard_kv_metadata_delete() {
  __lanyard_leaf \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and name of the secret, such as secret/app/db):__lanyard_live'
}

_lanyard_kv_config() {
  __lanyard_group _lanyard_kv_config "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_kv_config_get() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':MOUNT (mount path of the engine, such as secret):__lanyard_text'
}

_lanyard_kv_config_put() {
  __lanyard_leaf \
    '--max-versions=[versions to keep; the larger of secret and mount applies (0: inherit)]:N: ' \
    '--cas-required=[require --cas for every write]:cas-required:(true false)' \
    '--delete-version-after=[age at which versions are deleted (0s: never)]:DURATION: ' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(max-versions cas-required delete-version-after)' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':MOUNT (mount path of the engine, such as secret):__lanyard_text'
}

_lanyard_secrets() {
  __lanyard_group _lanyard_secrets "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_read() {
  __lanyard_leaf \
    '--wrap-ttl=[wrap the response: show only a token that returns it once, within this time]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and path, such as ssh/roles/deploy):__lanyard_live'
}

_lanyard_secrets_write() {
  __lanyard_leaf \
    '--in=[fields as a JSON object; - for standard input]:FILE|-:__lanyard_files' \
    '--wrap-ttl=[wrap the response: show only a token that returns it once, within this time]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and path, such as ssh/roles/deploy):__lanyard_live' \
    '*:K=V|K=@FILE|K=- (fields; the values are strings):__lanyard_text'
}

_lanyard_secrets_patch() {
  __lanyard_leaf \
    '--in=[fields as a JSON object; - for standard input]:FILE|-:__lanyard_files' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and path, such as ssh/roles/deploy):__lanyard_live' \
    '*:K=V|K=@FILE|K=- (fields; the values are strings):__lanyard_text'
}

_lanyard_secrets_list() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and directory, such as ssh/roles):__lanyard_live'
}

_lanyard_secrets_delete() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and path, such as ssh/roles/deploy):__lanyard_live'
}

_lanyard_secrets_creds() {
  __lanyard_leaf \
    '--common-name=[pki: common name of the certificate]:NAME: ' \
    '*--alt-names=[pki: further DNS names and email addresses of the certificate]:NAME: ' \
    '--ttl=[requested lifetime (default: set by the role)]:DURATION: ' \
    '--cert-out=[pki: file for the certificate and its chain]:FILE:__lanyard_files' \
    '--key-out=[pki: file for the private key (mode 0600)]:FILE:__lanyard_files' \
    '--force[overwrite existing files]' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':MOUNT/ROLE (role of an engine, such as database/app):__lanyard_live' \
    '*:K=V|K=@FILE|K=- (parameters of the engine; the values are strings):__lanyard_text'
}

_lanyard_secrets_help() {
  __lanyard_leaf \
    '--openapi[print the OpenAPI document of the path as JSON]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (mount and path, such as ssh/roles/deploy):__lanyard_live'
}

_lanyard_secrets_mount() {
  __lanyard_group _lanyard_secrets_mount "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_mount_list() {
  __lanyard_leaf "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_mount_get() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (path of the secrets engine):__lanyard_live'
}

_lanyard_secrets_mount_enable() {
  __lanyard_leaf \
    '(- : *)--version=[version of a key-value engine]:1|2: ' \
    '--path=[path of the mount (default: the type)]:PATH: ' \
    '--description=[description]:TEXT: ' \
    '*'{--option=,--options=}'[option of the type; repeatable]:K=V: ' \
    '--default-lease-ttl=[default lease duration (0: system default)]:DURATION: ' \
    '--max-lease-ttl=[maximum lease duration (0: system default)]:DURATION: ' \
    '--listing-visibility=[whether the path is listed without a token]:listing-visibility:(hidden unauth)' \
    '*'{--audit-non-hmac-request-keys=,--audit-non-hmac-request-key=}'[request fields that audit devices do not hash]:NAME: ' \
    '*'{--audit-non-hmac-response-keys=,--audit-non-hmac-response-key=}'[response fields that audit devices do not hash]:NAME: ' \
    '*--passthrough-request-headers=[request headers to pass to the plugin]:NAME: ' \
    '*--allowed-response-headers=[response headers that the plugin may set]:NAME: ' \
    '--local[do not replicate the mount to other clusters]' \
    '--seal-wrap[encrypt its data with the seal too]' \
    '--plugin-version=[version of the plugin]:VERSION: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':TYPE (type of the engine, such as kv or ssh):__lanyard_text'
}

_lanyard_secrets_mount_tune() {
  __lanyard_leaf \
    '--description=[description]:TEXT: ' \
    '*'{--option=,--options=}'[option of the type; repeatable]:K=V: ' \
    '--default-lease-ttl=[default lease duration (0: system default)]:DURATION: ' \
    '--max-lease-ttl=[maximum lease duration (0: system default)]:DURATION: ' \
    '--listing-visibility=[whether the path is listed without a token]:listing-visibility:(hidden unauth)' \
    '*'{--audit-non-hmac-request-keys=,--audit-non-hmac-request-key=}'[request fields that audit devices do not hash]:NAME: ' \
    '*'{--audit-non-hmac-response-keys=,--audit-non-hmac-response-key=}'[response fields that audit devices do not hash]:NAME: ' \
    '*--passthrough-request-headers=[request headers to pass to the plugin]:NAME: ' \
    '*--allowed-response-headers=[response headers that the plugin may set]:NAME: ' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(description default-lease-ttl max-lease-ttl listing-visibility audit-non-hmac-request-keys audit-non-hmac-response-keys passthrough-request-headers allowed-response-headers)' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (path of the secrets engine):__lanyard_live'
}

_lanyard_secrets_mount_move() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':SOURCE (current path):__lanyard_live' \
    ':DESTINATION (new path):__lanyard_text'
}

_lanyard_secrets_mount_disable() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (path of the secrets engine):__lanyard_live'
}

_lanyard_secrets_auth() {
  __lanyard_group _lanyard_secrets_auth "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_auth_list() {
  __lanyard_leaf "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_auth_get() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (path of the auth method, below auth/):__lanyard_live'
}

_lanyard_secrets_auth_enable() {
  __lanyard_leaf \
    '--path=[path of the mount (default: the type)]:PATH: ' \
    '--description=[description]:TEXT: ' \
    '*'{--option=,--options=}'[option of the type; repeatable]:K=V: ' \
    '--default-lease-ttl=[default lease duration (0: system default)]:DURATION: ' \
    '--max-lease-ttl=[maximum lease duration (0: system default)]:DURATION: ' \
    '--listing-visibility=[whether the path is listed without a token]:listing-visibility:(hidden unauth)' \
    '*'{--audit-non-hmac-request-keys=,--audit-non-hmac-request-key=}'[request fields that audit devices do not hash]:NAME: ' \
    '*'{--audit-non-hmac-response-keys=,--audit-non-hmac-response-key=}'[response fields that audit devices do not hash]:NAME: ' \
    '*--passthrough-request-headers=[request headers to pass to the plugin]:NAME: ' \
    '*--allowed-response-headers=[response headers that the plugin may set]:NAME: ' \
    '--token-type=[type of the tokens of its logins]:token-type:(default-service default-batch service batch)' \
    '--local[do not replicate the mount to other clusters]' \
    '--seal-wrap[encrypt its data with the seal too]' \
    '--plugin-version=[version of the plugin]:VERSION: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':TYPE (type of the auth method, such as userpass or jwt):__lanyard_text'
}

_lanyard_secrets_auth_tune() {
  __lanyard_leaf \
    '--description=[description]:TEXT: ' \
    '*'{--option=,--options=}'[option of the type; repeatable]:K=V: ' \
    '--default-lease-ttl=[default lease duration (0: system default)]:DURATION: ' \
    '--max-lease-ttl=[maximum lease duration (0: system default)]:DURATION: ' \
    '--listing-visibility=[whether the path is listed without a token]:listing-visibility:(hidden unauth)' \
    '*'{--audit-non-hmac-request-keys=,--audit-non-hmac-request-key=}'[request fields that audit devices do not hash]:NAME: ' \
    '*'{--audit-non-hmac-response-keys=,--audit-non-hmac-response-key=}'[response fields that audit devices do not hash]:NAME: ' \
    '*--passthrough-request-headers=[request headers to pass to the plugin]:NAME: ' \
    '*--allowed-response-headers=[response headers that the plugin may set]:NAME: ' \
    '--token-type=[type of the tokens of its logins]:token-type:(default-service default-batch service batch)' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(description default-lease-ttl max-lease-ttl listing-visibility audit-non-hmac-request-keys audit-non-hmac-response-keys passthrough-request-headers allowed-response-headers token-type)' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (path of the auth method, below auth/):__lanyard_live'
}

_lanyard_secrets_auth_move() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':SOURCE (current path):__lanyard_live' \
    ':DESTINATION (new path):__lanyard_text'
}

_lanyard_secrets_auth_disable() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (path of the auth method, below auth/):__lanyard_live'
}

_lanyard_secrets_auth_role() {
  __lanyard_group _lanyard_secrets_auth_role "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_auth_role_list() {
  __lanyard_leaf \
    '--type=[type of the auth method (default: as the service says)]:type:(approle jwt oidc kubernetes cert userpass token)' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':METHOD (path of the auth method, below auth/):__lanyard_live'
}

_lanyard_secrets_auth_role_get() {
  __lanyard_leaf \
    '--type=[type of the auth method (default: as the service says)]:type:(approle jwt oidc kubernetes cert userpass token)' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':METHOD (path of the auth method, below auth/):__lanyard_live' \
    ':NAME (name of the role, or of the user):__lanyard_live'
}

_lanyard_secrets_auth_role_put() {
  __lanyard_leaf \
    '*'{--token-policies=,--policies=,--policy=}'[policies of the tokens]:A,B:__lanyard_live' \
    '(--token-ttl --ttl)'{--token-ttl=,--ttl=}'[time to live of the tokens]:DURATION: ' \
    '(--token-max-ttl --max-ttl)'{--token-max-ttl=,--max-ttl=}'[maximum lifetime of the tokens, including renewals]:DURATION: ' \
    '(--token-period --period)'{--token-period=,--period=}'[renewals extend the lifetime by this period, without a maximum]:DURATION: ' \
    '--token-explicit-max-ttl=[maximum lifetime of the tokens, also of periodic ones]:DURATION: ' \
    '--token-num-uses=[number of uses of a token (0: unlimited)]:N: ' \
    '*--token-bound-cidrs=[addresses that may log in and use the tokens]:CIDR,CIDR: ' \
    '--token-no-default-policy[without the policy "default"]' \
    '--token-type=[type of the tokens]:token-type:(default service batch default-service default-batch)' \
    '--bind-secret-id=[approle: logins require a secret ID (default true)]:bind-secret-id:(true false)' \
    '--secret-id-ttl=[approle: time to live of secret IDs (0: unlimited)]:DURATION: ' \
    '--secret-id-num-uses=[approle: number of uses of a secret ID (0: unlimited)]:N: ' \
    '*--secret-id-bound-cidrs=[approle: addresses that may log in]:CIDR,CIDR: ' \
    '--role-id=[approle: role ID (default: generated)]:ID: ' \
    '--local-secret-ids[approle: do not replicate secret IDs to other clusters]' \
    '--role-type=[jwt, oidc: log in with a JWT or in the browser (default: type of METHOD)]:role-type:(jwt oidc)' \
    '--user-claim=[jwt, oidc: claim that names the user]:CLAIM: ' \
    '*--bound-audiences=[jwt, oidc: accepted audiences]:A,B: ' \
    '--bound-subject=[jwt, oidc: required subject]:TEXT: ' \
    '*'{--bound-claim=,--bound-claims=}'[jwt, oidc: required claim (several values: --in); repeatable]:K=V: ' \
    '--bound-claims-type=[jwt, oidc: how the claims of --bound-claim are compared (default string)]:bound-claims-type:(string glob)' \
    '*'{--claim-mapping=,--claim-mappings=}'[jwt, oidc: claim to copy into the metadata of the tokens; repeatable]:CLAIM=KEY: ' \
    '--groups-claim=[jwt, oidc: claim with the groups of the user]:CLAIM: ' \
    '*--oidc-scopes=[jwt, oidc: scopes to request besides openid]:A,B: ' \
    '*'{--allowed-redirect-uri=,--allowed-redirect-uris=}'[jwt, oidc: redirect URIs that logins may use]:URI: ' \
    '--max-age=[jwt, oidc: maximum time since the user signed in at the provider]:DURATION: ' \
    '--clock-skew-leeway=[jwt, oidc: allowed clock skew]:DURATION: ' \
    '*--bound-service-account-names=[kubernetes: service accounts; * for any]:A,B: ' \
    '*--bound-service-account-namespaces=[kubernetes: namespaces; * for any]:A,B: ' \
    '--bound-service-account-namespace-selector=[kubernetes: label selector of namespaces, in JSON or YAML]:SELECTOR: ' \
    '--audience=[kubernetes: required audience of the JWT]:TEXT: ' \
    '--alias-name-source=[kubernetes: what names the entity alias]:alias-name-source:(serviceaccount_uid serviceaccount_name)' \
    '--certificate=[cert: CA certificate or certificate in PEM format]:PEM|@FILE:__lanyard_files' \
    '--display-name=[cert: display name of the tokens]:TEXT: ' \
    '*--allowed-common-names=[cert: allowed common names]:A,B: ' \
    '*--allowed-dns-sans=[cert: allowed DNS names]:A,B: ' \
    '*--allowed-email-sans=[cert: allowed email addresses]:A,B: ' \
    '*--allowed-uri-sans=[cert: allowed URIs]:A,B: ' \
    '*--allowed-organizational-units=[cert: allowed organizational units]:A,B: ' \
    '*--required-extensions=[cert: required extensions]:OID\:VALUE: ' \
    '--password=[userpass: source of the password: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '*--allowed-policies=[token: policies that the tokens may have]:A,B:__lanyard_live' \
    '*--allowed-policies-glob=[token: patterns of policies that the tokens may have]:A,B: ' \
    '*--disallowed-policies=[token: policies that the tokens may not have]:A,B:__lanyard_live' \
    '*--disallowed-policies-glob=[token: patterns of policies that the tokens may not have]:A,B: ' \
    '*--allowed-entity-aliases=[token: entity aliases that the tokens may have]:A,B: ' \
    '--orphan[token: tokens are not revoked with their parents]' \
    '--renewable=[token: tokens can be renewed (default true)]:renewable:(true false)' \
    '--path-suffix=[token: end of the path of the tokens, for revocations by prefix]:NAME: ' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(token-policies token-ttl token-max-ttl token-period token-explicit-max-ttl token-num-uses token-bound-cidrs token-no-default-policy secret-id-ttl secret-id-num-uses secret-id-bound-cidrs bound-audiences bound-subject bound-claim bound-claims-type claim-mapping groups-claim oidc-scopes allowed-redirect-uri max-age clock-skew-leeway bound-service-account-names bound-service-account-namespaces bound-service-account-namespace-selector audience alias-name-source display-name allowed-common-names allowed-dns-sans allowed-email-sans allowed-uri-sans allowed-organizational-units required-extensions allowed-policies allowed-policies-glob disallowed-policies disallowed-policies-glob allowed-entity-aliases orphan path-suffix)' \
    '--in=[fields as JSON or YAML, also those without a flag]:FILE|-:__lanyard_files' \
    '--type=[type of the auth method (default: as the service says)]:type:(approle jwt oidc kubernetes cert userpass token)' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':METHOD (path of the auth method, below auth/):__lanyard_live' \
    ':NAME (name of the role, or of the user):__lanyard_live'
}

_lanyard_secrets_auth_role_delete() {
  __lanyard_leaf \
    '--type=[type of the auth method (default: as the service says)]:type:(approle jwt oidc kubernetes cert userpass token)' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':METHOD (path of the auth method, below auth/):__lanyard_live' \
    ':NAME (name of the role, or of the user):__lanyard_live'
}

_lanyard_secrets_auth_role_id() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':METHOD (path of the auth method, below auth/):__lanyard_live' \
    ':NAME (name of the role, or of the user):__lanyard_live'
}

_lanyard_secrets_auth_role_secret-id() {
  __lanyard_group _lanyard_secrets_auth_role_secret-id "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_auth_role_secret-id_create() {
  __lanyard_leaf \
    '--wrap-ttl=[lifetime of the wrapping token (default 5m)]:DURATION: ' \
    '--no-wrap[print the secret ID itself]' \
    '--ttl=[lifetime of the secret ID (default: of the role)]:DURATION: ' \
    '(--use-limit --num-uses)'{--use-limit=,--num-uses=}'[number of logins that it can be used for (default: of the role)]:N: ' \
    '*--metadata=[metadata of the tokens, in audit logs; repeatable]:K=V: ' \
    '*--cidr-list=[address that may log in with it; repeatable]:CIDR: ' \
    '*--token-bound-cidrs=[address that may use the tokens; repeatable]:CIDR: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':METHOD (path of the auth method, below auth/):__lanyard_live' \
    ':NAME (name of the role, or of the user):__lanyard_live'
}

_lanyard_secrets_auth_role_secret-id_list() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':METHOD (path of the auth method, below auth/):__lanyard_live' \
    ':NAME (name of the role, or of the user):__lanyard_live'
}

_lanyard_secrets_auth_role_secret-id_destroy() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':METHOD (path of the auth method, below auth/):__lanyard_live' \
    ':NAME (name of the role, or of the user):__lanyard_live' \
    ':ACCESSOR (accessor of the secret ID):__lanyard_text'
}

_lanyard_secrets_policy() {
  __lanyard_group _lanyard_secrets_policy "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_policy_list() {
  __lanyard_leaf "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_policy_check() {
  __lanyard_leaf \
    "$out[@]" "$result[@]" "$every[@]" \
    ':POLICY|@FILE|- (policy in HCL or JSON, a file or standard input):__lanyard_files'
}

_lanyard_secrets_policy_put() {
  __lanyard_leaf \
    '--no-check[send the policy without checking it]' \
    '--replace[reset all other fields of the policy (OpenBao)]' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':POLICY (name of the policy):__lanyard_live' \
    ':POLICY|@FILE|- (policy in HCL or JSON, a file or standard input):__lanyard_files'
}

_lanyard_secrets_policy_get() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':POLICY (name of the policy):__lanyard_live'
}

_lanyard_secrets_policy_delete() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':POLICY (name of the policy):__lanyard_live'
}

_lanyard_secrets_token() {
  __lanyard_group _lanyard_secrets_token "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_token_create() {
  __lanyard_leaf \
    '*'{--policy=,--policies=}'[policy of the token (default: the policies of the current token); repeatable]:NAME:__lanyard_live' \
    '--ttl=[lifetime, after which it expires unless renewed (default: of the service)]:DURATION: ' \
    '--period=[renewals extend the lifetime by this period, without a maximum]:DURATION: ' \
    '--explicit-max-ttl=[maximum lifetime, including renewals]:DURATION: ' \
    '(--use-limit --num-uses)'{--use-limit=,--num-uses=}'[number of requests that it can be used for (default unlimited)]:N: ' \
    '--orphan[create without a parent: not revoked with the current token]' \
    '--no-default-policy[without the policy "default"]' \
    '--not-renewable[cannot be renewed]' \
    '--type=[type of the token (default service)]:type:(service batch)' \
    '--role=[role for tokens, which sets or limits the other properties]:ROLE: ' \
    '--display-name=[display name, in audit logs]:NAME: ' \
    '*'{--metadata=,--meta=}'[metadata, in audit logs; repeatable]:K=V: ' \
    '--entity-alias=[entity alias of the token; requires --role]:NAME: ' \
    '--id=[source of the token itself, instead of a generated one: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--wrap-ttl=[wrap the response: show only a token that returns it once, within this time]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_token_list() {
  __lanyard_leaf "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_token_self() {
  __lanyard_leaf \
    '--show-token[show the token itself]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_token_lookup() {
  __lanyard_leaf \
    '--accessor=[accessor of the token, instead of the token]:ACCESSOR: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::SRC (source of the token\: -, @FILE or env\://NAME):__lanyard_files'
}

_lanyard_secrets_token_renew() {
  __lanyard_leaf \
    '--accessor=[accessor of the token, instead of the token]:ACCESSOR: ' \
    '--increment=[requested lifetime from now (default: set by the token)]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::SRC (source of the token\: -, @FILE or env\://NAME):__lanyard_files'
}

_lanyard_secrets_token_keep-alive() {
  _arguments -s -S \
    '--increment=[requested lifetime of each renewal (default: set by the token)]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$every[@]" \
    '(-):COMMAND (command and arguments, after --):__lanyard_programs' \
    '*::arguments: _normal'
}

_lanyard_secrets_token_capabilities() {
  __lanyard_leaf \
    '--token=[source of another token: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--accessor=[accessor of the token, instead of the token]:ACCESSOR: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '*:PATH (path below /v1/, such as secret/data/app):__lanyard_text'
}

_lanyard_secrets_token_revoke() {
  __lanyard_leaf \
    '--accessor=[accessor of the token, instead of the token]:ACCESSOR: ' \
    '--self[revoke the token that is used]' \
    '--mode=[orphan: keep the child tokens, as orphans (default tree)]:mode:(tree orphan)' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::SRC (source of the token\: -, @FILE or env\://NAME):__lanyard_files'
}

_lanyard_secrets_lease() {
  __lanyard_group _lanyard_secrets_lease "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_lease_list() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::PREFIX (path of the leases, such as ssh/creds/otp):__lanyard_text'
}

_lanyard_secrets_lease_lookup() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':LEASE (ID of the lease, such as ssh/creds/otp/HFytRA7KU):__lanyard_text'
}

_lanyard_secrets_lease_renew() {
  __lanyard_leaf \
    '--increment=[requested lifetime from now (default: set by the lease)]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':LEASE (ID of the lease, such as ssh/creds/otp/HFytRA7KU):__lanyard_text'
}

_lanyard_secrets_lease_revoke() {
  __lanyard_leaf \
    '--prefix[revoke all leases below the path LEASE; requires sudo]' \
    '--force[with --prefix: ignore errors of the engine]' \
    '--sync[wait until the credentials are revoked]' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':LEASE (ID of the lease, such as ssh/creds/otp/HFytRA7KU):__lanyard_text'
}

_lanyard_secrets_unwrap() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::SRC (source of the wrapping token\: -, @FILE or env\://NAME):__lanyard_files'
}

_lanyard_secrets_snapshot() {
  __lanyard_group _lanyard_secrets_snapshot "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_snapshot_save() {
  __lanyard_leaf \
    '--force[overwrite an existing file]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':FILE (output file):__lanyard_files'
}

_lanyard_secrets_snapshot_restore() {
  __lanyard_leaf \
    '--force[restore a snapshot of a cluster with other unseal keys]' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':FILE (snapshot file):__lanyard_files'
}

_lanyard_secrets_snapshot_inspect() {
  __lanyard_leaf \
    "$out[@]" "$result[@]" "$every[@]" \
    ':FILE (snapshot file):__lanyard_files'
}

_lanyard_secrets_namespace() {
  __lanyard_group _lanyard_secrets_namespace "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_namespace_list() {
  __lanyard_leaf \
    '--recursive[all namespaces below]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_namespace_get() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAMESPACE (name of the namespace):__lanyard_live'
}

_lanyard_secrets_namespace_create() {
  __lanyard_leaf \
    '*--custom-metadata=[metadata of the namespace; repeatable]:K=V: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAMESPACE (name of the namespace):__lanyard_live'
}

_lanyard_secrets_namespace_update() {
  __lanyard_leaf \
    '*--custom-metadata=[metadata to set; repeatable]:K=V: ' \
    '*--remove-custom-metadata=[metadata to remove; repeatable]:KEY: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAMESPACE (name of the namespace):__lanyard_live'
}

_lanyard_secrets_namespace_delete() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAMESPACE (name of the namespace):__lanyard_live'
}

_lanyard_secrets_status() {
  __lanyard_leaf "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_login() {
  __lanyard_leaf \
    '--method=[login method (default: of the profile, else token)]:method:(token userpass ldap approle jwt kubernetes cert oidc)' \
    '--token=[token: source of the token: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--username=[userpass, ldap: user name]:NAME: ' \
    '--password=[userpass, ldap: source of the password: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--role-id=[approle: role ID]:ID: ' \
    '--secret-id=[approle: source of the secret ID: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--role=[jwt, oidc, cert: role (default: chosen by the service); kubernetes: role]:ROLE: ' \
    '--jwt=[jwt, kubernetes: source of the JWT (default: of the pod): -, @FILE, env://NAME; in CI github://AUDIENCE or gitlab://NAME]:SRC:__lanyard_files' \
    '--callback-port=[oidc: callback port (default 8250)]:PORT: ' \
    '--no-browser[oidc: print the URL instead of opening a browser]' \
    '--wait=[oidc: time to wait for the browser (default 5m)]:DURATION: ' \
    '--path=[mount path below auth/ (default: name of the method)]:MOUNT:__lanyard_live' \
    '--no-store[print the token instead of storing it]' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::SRC (token\: source of the token, as --token):__lanyard_files'
}

_lanyard_secrets_logout() {
  __lanyard_leaf "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_init() {
  __lanyard_leaf \
    '(--secret-shares --shares)'{--secret-shares=,--shares=}'[number of unseal keys, 1 to 255 (default 5)]:N: ' \
    '(--secret-threshold --threshold)'{--secret-threshold=,--threshold=}'[number of keys that unseal the service (default 3)]:N: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_secrets_unseal() {
  __lanyard_leaf \
    '--reset[discard the keys provided so far]' \
    '--nonce=[fail unless the current attempt has this nonce, as shown with its progress]:NONCE: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::SRC (source of the unseal key\: -, @FILE or env\://NAME):__lanyard_files'
}

_lanyard_secrets_seal() {
  __lanyard_leaf "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl() {
  __lanyard_group _lanyard_acl "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_bootstrap() {
  __lanyard_leaf \
    '--secret=[source of the secret, a UUID: -, @FILE or env://NAME (default: generated by the service)]:SRC:__lanyard_files' \
    '--store[also store the token with the profile]' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_login() {
  __lanyard_leaf \
    '--method=[auth method to log in with (required)]:METHOD:__lanyard_live' \
    '--bearer-token=[source of the bearer token: -, @FILE, env://NAME; in CI github://AUDIENCE or gitlab://NAME]:SRC:__lanyard_files' \
    '*--meta=[metadata of the token; repeatable]:K=V: ' \
    '--oidc[log in with the browser]' \
    '--callback-port=[with --oidc: callback port (default 8550)]:PORT: ' \
    '--no-browser[with --oidc: print the URL instead of opening a browser]' \
    '--wait=[with --oidc: time to wait for the browser (default 5m)]:DURATION: ' \
    '--no-store[print the token instead of storing it]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter of the auth method (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_logout() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter of the auth method (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_explain() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::TOKEN (accessor ID or unique prefix (default\: the current token)):__lanyard_live'
}

_lanyard_acl_can() {
  __lanyard_leaf \
    '--token=[accessor ID or unique prefix of another token]:ID:__lanyard_live' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PERMISSION (resource and access, such as key\:write or operator\:read):__lanyard_text' \
    '::NAME (name of the key, service, node or other resource):__lanyard_text'
}

_lanyard_acl_policy() {
  __lanyard_group _lanyard_acl_policy "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_policy_list() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_policy_get() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':POLICY (name or ID of the policy):__lanyard_live'
}

_lanyard_acl_policy_put() {
  __lanyard_leaf \
    '--rules=[rules in HCL or JSON, a file or standard input]:RULES|@FILE|-:__lanyard_files' \
    '--no-check[send the rules without checking them]' \
    '--description=[description]:TEXT: ' \
    '*'{--valid-datacenter=,--valid-datacenters=}'[datacenter where it is valid (default all); repeatable]:DC: ' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(description valid-datacenter)' \
    '--name=[new name of the policy]:NAME: ' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':POLICY (name of the policy, or ID of an existing one):__lanyard_live'
}

_lanyard_acl_policy_delete() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':POLICY (name or ID of the policy):__lanyard_live'
}

_lanyard_acl_token() {
  __lanyard_group _lanyard_acl_token "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_token_list() {
  __lanyard_leaf \
    '--policy=[only tokens that are linked to this policy]:NAME|ID:__lanyard_live' \
    '--role=[only tokens that are linked to this role]:NAME|ID:__lanyard_live' \
    '--auth-method=[only tokens that were created by logins with this auth method]:NAME:__lanyard_live' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_token_get() {
  __lanyard_leaf \
    '--expanded[add all policies of the token, with their rules]' \
    '--show-secret[show the secret]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':TOKEN (accessor ID or unique prefix, or "anonymous"):__lanyard_live'
}

_lanyard_acl_token_self() {
  __lanyard_leaf \
    '--show-secret[show the secret]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_token_create() {
  __lanyard_leaf \
    '*'{--policy=,--policy-name=,--policy-id=}'[policy to link; repeatable]:NAME|ID:__lanyard_live' \
    '*--service-identity=[service identity, in these datacenters; repeatable]:NAME[\:DC,DC]: ' \
    '*--node-identity=[node identity; repeatable]:NAME\:DC: ' \
    '*--templated-policy=[templated policy, such as builtin/service:web; repeatable]:TEMPLATE[\:NAME[\:DC,DC]]: ' \
    '*'{--role=,--role-name=,--role-id=}'[role to link; repeatable]:NAME|ID:__lanyard_live' \
    '--description=[description]:TEXT: ' \
    '(--ttl --expires-ttl)'{--ttl=,--expires-ttl=}'[time until the token expires (default never)]:DURATION: ' \
    '--expires-at=[time when the token expires, as 2027-01-31T12:00:00Z]:TIME: ' \
    '--local[valid only in the datacenter of the agent]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    '--accessor=[accessor ID, a UUID (default: generated by the service)]:ID: ' \
    '--secret=[source of the secret, a UUID: -, @FILE or env://NAME (default: generated by the service)]:SRC:__lanyard_files' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_token_update() {
  __lanyard_leaf \
    '--description=[description]:TEXT: ' \
    '*'{--policy=,--policy-name=,--policy-id=}'[policies, replacing all existing ones; repeatable]:NAME|ID:__lanyard_live' \
    '*'{--add-policy=,--append-policy-name=,--append-policy-id=}'[policy to add; repeatable]:NAME|ID:__lanyard_live' \
    '*--remove-policy=[policy to remove; repeatable]:NAME|ID:__lanyard_live' \
    '*--service-identity=[service identities, replacing all; repeatable]:NAME[\:DC,DC]: ' \
    '*--add-service-identity=[service identity to add; repeatable]:NAME[\:DC,DC]: ' \
    '*--remove-service-identity=[service identity to remove; repeatable]:NAME[\:DC,DC]: ' \
    '*--node-identity=[node identities, replacing all; repeatable]:NAME\:DC: ' \
    '*--add-node-identity=[node identity to add; repeatable]:NAME\:DC: ' \
    '*--remove-node-identity=[node identity to remove; repeatable]:NAME\:DC: ' \
    '*--templated-policy=[templated policies, replacing all; repeatable]:TEMPLATE[\:NAME[\:DC,DC]]: ' \
    '*--add-templated-policy=[templated policy to add; repeatable]:TEMPLATE[\:NAME[\:DC,DC]]: ' \
    '*--remove-templated-policy=[templated policy to remove; repeatable]:TEMPLATE[\:NAME[\:DC,DC]]: ' \
    '*'{--role=,--role-name=,--role-id=}'[roles, replacing all existing ones; repeatable]:NAME|ID:__lanyard_live' \
    '*'{--add-role=,--append-role-name=,--append-role-id=}'[role to add; repeatable]:NAME|ID:__lanyard_live' \
    '*--remove-role=[role to remove; repeatable]:NAME|ID:__lanyard_live' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(description policy service-identity node-identity templated-policy role)' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':TOKEN (accessor ID or unique prefix, or "anonymous"):__lanyard_live'
}

_lanyard_acl_token_clone() {
  __lanyard_leaf \
    '--description=[description (default: the description of the token)]:TEXT: ' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':TOKEN (accessor ID or unique prefix, or "anonymous"):__lanyard_live'
}

_lanyard_acl_token_delete() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':TOKEN (accessor ID or unique prefix, or "anonymous"):__lanyard_live'
}

_lanyard_acl_role() {
  __lanyard_group _lanyard_acl_role "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_role_list() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_role_get() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ROLE (name or ID of the role):__lanyard_live'
}

_lanyard_acl_role_put() {
  __lanyard_leaf \
    '--description=[description]:TEXT: ' \
    '*'{--policy=,--policy-name=,--policy-id=}'[policies, replacing all existing ones; repeatable]:NAME|ID:__lanyard_live' \
    '*'{--add-policy=,--append-policy-name=,--append-policy-id=}'[policy to add; repeatable]:NAME|ID:__lanyard_live' \
    '*--remove-policy=[policy to remove; repeatable]:NAME|ID:__lanyard_live' \
    '*--service-identity=[service identities, replacing all; repeatable]:NAME[\:DC,DC]: ' \
    '*--add-service-identity=[service identity to add; repeatable]:NAME[\:DC,DC]: ' \
    '*--remove-service-identity=[service identity to remove; repeatable]:NAME[\:DC,DC]: ' \
    '*--node-identity=[node identities, replacing all; repeatable]:NAME\:DC: ' \
    '*--add-node-identity=[node identity to add; repeatable]:NAME\:DC: ' \
    '*--remove-node-identity=[node identity to remove; repeatable]:NAME\:DC: ' \
    '*--templated-policy=[templated policies, replacing all; repeatable]:TEMPLATE[\:NAME[\:DC,DC]]: ' \
    '*--add-templated-policy=[templated policy to add; repeatable]:TEMPLATE[\:NAME[\:DC,DC]]: ' \
    '*--remove-templated-policy=[templated policy to remove; repeatable]:TEMPLATE[\:NAME[\:DC,DC]]: ' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(description policy service-identity node-identity templated-policy)' \
    '--name=[new name of the role]:NAME: ' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ROLE (name of the role, or ID of an existing one):__lanyard_live'
}

_lanyard_acl_role_delete() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ROLE (name or ID of the role):__lanyard_live'
}

_lanyard_acl_auth-method() {
  __lanyard_group _lanyard_acl_auth-method "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_auth-method_list() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_auth-method_get() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':METHOD (name of the auth method):__lanyard_live'
}

_lanyard_acl_auth-method_put() {
  __lanyard_leaf \
    '--type=[type (required for a new method; cannot be changed)]:type:(jwt oidc kubernetes aws-iam)' \
    '--display-name=[name for user interfaces]:TEXT: ' \
    '--description=[description]:TEXT: ' \
    '--max-token-ttl=[maximum lifetime of tokens of logins]:DURATION: ' \
    '--token-locality=[where tokens of logins are valid (default local)]:token-locality:(local global)' \
    '--config=[settings of the type (Config) as JSON or YAML, replacing the existing ones]:FILE|-:__lanyard_files' \
    '--in=[all fields as JSON or YAML, as "acl auth-method get -o json" prints them]:FILE|-:__lanyard_files' \
    '*--jwt-validation-pub-key=[jwt: public key in PEM form; repeatable]:@FILE:__lanyard_files' \
    '--jwks-url=[jwt: URL of the public keys]:URL: ' \
    '--oidc-discovery-url=[jwt, oidc: URL of the issuer]:URL: ' \
    '--bound-issuer=[jwt: issuer that tokens must have]:ISSUER: ' \
    '*'{--bound-audience=,--bound-audiences=}'[jwt, oidc: allowed audience; repeatable]:AUDIENCE: ' \
    '*'{--jwt-supported-alg=,--jwt-supported-algs=}'[jwt, oidc: allowed signature algorithm (default RS256); repeatable]:ALG: ' \
    '*--claim-mapping=[jwt, oidc: claim that selectors know as value.NAME; repeatable]:CLAIM=NAME: ' \
    '*--list-claim-mapping=[jwt, oidc: claim that selectors know as list.NAME; repeatable]:CLAIM=NAME: ' \
    '--oidc-client-id=[oidc: client ID]:ID: ' \
    '--oidc-client-secret=[oidc: source of the client secret: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '*'{--allowed-redirect-uri=,--allowed-redirect-uris=}'[oidc: allowed redirect URI; repeatable]:URI: ' \
    '--kubernetes-host=[kubernetes: address of the API server]:URL: ' \
    '--kubernetes-ca-cert=[kubernetes: CA certificate of the API server in PEM form]:@FILE:__lanyard_files' \
    '--kubernetes-service-account-jwt=[kubernetes: source of the JWT for token reviews: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(display-name description max-token-ttl jwks-url oidc-discovery-url bound-issuer bound-audience jwt-supported-alg claim-mapping list-claim-mapping oidc-client-id allowed-redirect-uri kubernetes-host kubernetes-ca-cert)' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':METHOD (name of the auth method):__lanyard_live'
}

_lanyard_acl_auth-method_delete() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':METHOD (name of the auth method):__lanyard_live'
}

_lanyard_acl_binding-rule() {
  __lanyard_group _lanyard_acl_binding-rule "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_binding-rule_list() {
  __lanyard_leaf \
    '--method=[only rules of this auth method]:NAME:__lanyard_live' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_binding-rule_get() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':RULE (ID or unique prefix of the binding rule):__lanyard_live'
}

_lanyard_acl_binding-rule_create() {
  __lanyard_leaf \
    '--method=[auth method (required)]:NAME:__lanyard_live' \
    '--bind-type=[what a login gets]:bind-type:(service node role policy templated-policy)' \
    '--bind-name=[its name, which may contain ${value.NAME}]:NAME: ' \
    '*--bind-var=[templated-policy: variable, which may contain ${value.NAME}; repeatable]:K=V: ' \
    '--selector=[logins, such as value.project == web (default all)]:EXPR: ' \
    '--description=[description]:TEXT: ' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_binding-rule_update() {
  __lanyard_leaf \
    '--bind-type=[what a login gets]:bind-type:(service node role policy templated-policy)' \
    '--bind-name=[its name, which may contain ${value.NAME}]:NAME: ' \
    '*--bind-var=[templated-policy: variable, which may contain ${value.NAME}; repeatable]:K=V: ' \
    '--selector=[logins, such as value.project == web (default all)]:EXPR: ' \
    '--description=[description]:TEXT: ' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(bind-var selector description)' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':RULE (ID or unique prefix of the binding rule):__lanyard_live'
}

_lanyard_acl_binding-rule_delete() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':RULE (ID or unique prefix of the binding rule):__lanyard_live'
}

_lanyard_acl_binding-rule_test() {
  __lanyard_leaf \
    '--method=[auth method whose rules and claim mappings are used]:NAME:__lanyard_live' \
    '--claims=[claims as JSON or YAML]:FILE|-:__lanyard_files' \
    '--bearer-token=[source of a JWT with the claims: -, @FILE, env://NAME; in CI github://AUDIENCE or gitlab://NAME]:SRC:__lanyard_files' \
    '--selector=[selector to evaluate instead of the stored rules]:EXPR: ' \
    '--bind-type=[with --selector: what a login gets]:bind-type:(service node role policy templated-policy)' \
    '--bind-name=[with --selector: its name, which may contain ${value.NAME}]:NAME: ' \
    '*--claim-mapping=[claim that selectors know as value.NAME; repeatable]:CLAIM=NAME: ' \
    '*--list-claim-mapping=[claim that selectors know as list.NAME; repeatable]:CLAIM=NAME: ' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_templated-policy() {
  __lanyard_group _lanyard_acl_templated-policy "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_templated-policy_list() {
  __lanyard_leaf "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_templated-policy_get() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':TEMPLATE (name of the templated policy, such as builtin/service):(builtin/service builtin/node builtin/dns builtin/nomad-server builtin/nomad-client builtin/api-gateway)'
}

_lanyard_acl_templated-policy_preview() {
  __lanyard_leaf \
    '--name=[value of the variable "name", if the template has it]:NAME: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':TEMPLATE (name of the templated policy, such as builtin/service):(builtin/service builtin/node builtin/dns builtin/nomad-server builtin/nomad-client builtin/api-gateway)'
}

_lanyard_acl_oidc() {
  __lanyard_group _lanyard_acl_oidc "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_oidc_auth-url() {
  __lanyard_leaf \
    '--method=[auth method to log in with (required)]:METHOD:__lanyard_live' \
    '--redirect-uri=[URI that the provider redirects to; the auth method must allow it (required)]:URI: ' \
    '--client-nonce=[source of a secret that the callback must repeat: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '*--meta=[metadata of the token; repeatable]:K=V: ' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter of the auth method (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_oidc_callback() {
  __lanyard_leaf \
    '--method=[auth method to log in with (required)]:METHOD:__lanyard_live' \
    '--state=[state from the redirect (required)]:STATE: ' \
    '--code=[source of the code from the redirect: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--client-nonce=[source of the client nonce of the authorization URL: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '*--meta=[metadata of the token; repeatable]:K=V: ' \
    '--no-store[print the token instead of storing it]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter of the auth method (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_replication() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_acl_translate-rules() {
  __lanyard_leaf \
    '--accessor=[accessor ID of a legacy token: translate its rules]:ID: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::FILE|- (rules; - for standard input (default -)):__lanyard_files'
}

_lanyard_query() {
  __lanyard_group _lanyard_query "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_query_list() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    '--stale[allow stale reads]' \
    '--consistent[fully consistent reads]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_query_get() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    '--stale[allow stale reads]' \
    '--consistent[fully consistent reads]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':QUERY (name or ID of the query):__lanyard_live'
}

_lanyard_query_create() {
  __lanyard_leaf \
    '--name=[name of the query]:NAME: ' \
    '--service=[service to look up]:SERVICE:__lanyard_live' \
    '--service-namespace=[namespace of the service]:NS: ' \
    '--near=[sort by distance from this node, _agent or _ip (the client address)]:NODE:__lanyard_live' \
    '--only-passing[only instances whose checks all pass]' \
    '*'{--tag=,--tags=}'[only instances with this tag, or without it (!TAG); repeatable]:TAG: ' \
    '*--node-meta=[only nodes with this metadata; repeatable]:K=V: ' \
    '*--service-meta=[only instances with this metadata; repeatable]:K=V: ' \
    '--connect[only mesh-capable instances]' \
    '*'{--ignore-check=,--ignore-check-ids=}'[check to ignore; repeatable]:ID: ' \
    '(--failover-nearest --failover-nearest-n)'{--failover-nearest=,--failover-nearest-n=}'[number of nearest datacenters to try if no instance is healthy]:N: ' \
    '*'{--failover-datacenter=,--failover-datacenters=}'[datacenter to try after the nearest ones, in order; repeatable]:DC: ' \
    '*'{--failover-target=,--failover-targets=}'[target to try, in order, instead of datacenters; repeatable]:peer\:NAME|dc\:NAME: ' \
    '--session=[session to bind to; the query is deleted with it]:ID:__lanyard_live' \
    '--token=[source of the token to execute with: -, @FILE or env://NAME]:SOURCE:__lanyard_files' \
    '--dns-ttl=[TTL of DNS responses]:DURATION: ' \
    '--template=[template for names that start with the name of the query]:template:(name_prefix_match)' \
    '--regexp=[template: RE2 expression for ${match(N)}]:RE: ' \
    '--remove-empty-tags[template: remove tags that are empty after rendering]' \
    '--file=[fields as JSON or YAML; - for standard input]:FILE|-:__lanyard_files' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::NAME (name of the query; also --name):__lanyard_text'
}

_lanyard_query_update() {
  __lanyard_leaf \
    '--name=[name of the query]:NAME: ' \
    '--service=[service to look up]:SERVICE:__lanyard_live' \
    '--service-namespace=[namespace of the service]:NS: ' \
    '--near=[sort by distance from this node, _agent or _ip (the client address)]:NODE:__lanyard_live' \
    '--only-passing[only instances whose checks all pass]' \
    '*'{--tag=,--tags=}'[only instances with this tag, or without it (!TAG); repeatable]:TAG: ' \
    '*--node-meta=[only nodes with this metadata; repeatable]:K=V: ' \
    '*--service-meta=[only instances with this metadata; repeatable]:K=V: ' \
    '--connect[only mesh-capable instances]' \
    '*'{--ignore-check=,--ignore-check-ids=}'[check to ignore; repeatable]:ID: ' \
    '(--failover-nearest --failover-nearest-n)'{--failover-nearest=,--failover-nearest-n=}'[number of nearest datacenters to try if no instance is healthy]:N: ' \
    '*'{--failover-datacenter=,--failover-datacenters=}'[datacenter to try after the nearest ones, in order; repeatable]:DC: ' \
    '*'{--failover-target=,--failover-targets=}'[target to try, in order, instead of datacenters; repeatable]:peer\:NAME|dc\:NAME: ' \
    '--session=[session to bind to; the query is deleted with it]:ID:__lanyard_live' \
    '--token=[source of the token to execute with: -, @FILE or env://NAME]:SOURCE:__lanyard_files' \
    '--dns-ttl=[TTL of DNS responses]:DURATION: ' \
    '--template=[template for names that start with the name of the query]:template:(name_prefix_match)' \
    '--regexp=[template: RE2 expression for ${match(N)}]:RE: ' \
    '--remove-empty-tags[template: remove tags that are empty after rendering]' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(service-namespace near only-passing tag node-meta service-meta connect ignore-check failover-nearest failover-datacenter failover-target session token dns-ttl regexp remove-empty-tags)' \
    '--file=[fields as JSON or YAML; - for standard input]:FILE|-:__lanyard_files' \
    '--replace[reset all other fields to their defaults, except the token]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':QUERY (name or ID of the query):__lanyard_live'
}

_lanyard_query_put() {
  __lanyard_leaf \
    '--name=[name of the query]:NAME: ' \
    '--service=[service to look up]:SERVICE:__lanyard_live' \
    '--service-namespace=[namespace of the service]:NS: ' \
    '--near=[sort by distance from this node, _agent or _ip (the client address)]:NODE:__lanyard_live' \
    '--only-passing[only instances whose checks all pass]' \
    '*'{--tag=,--tags=}'[only instances with this tag, or without it (!TAG); repeatable]:TAG: ' \
    '*--node-meta=[only nodes with this metadata; repeatable]:K=V: ' \
    '*--service-meta=[only instances with this metadata; repeatable]:K=V: ' \
    '--connect[only mesh-capable instances]' \
    '*'{--ignore-check=,--ignore-check-ids=}'[check to ignore; repeatable]:ID: ' \
    '(--failover-nearest --failover-nearest-n)'{--failover-nearest=,--failover-nearest-n=}'[number of nearest datacenters to try if no instance is healthy]:N: ' \
    '*'{--failover-datacenter=,--failover-datacenters=}'[datacenter to try after the nearest ones, in order; repeatable]:DC: ' \
    '*'{--failover-target=,--failover-targets=}'[target to try, in order, instead of datacenters; repeatable]:peer\:NAME|dc\:NAME: ' \
    '--session=[session to bind to; the query is deleted with it]:ID:__lanyard_live' \
    '--token=[source of the token to execute with: -, @FILE or env://NAME]:SOURCE:__lanyard_files' \
    '--dns-ttl=[TTL of DNS responses]:DURATION: ' \
    '--template=[template for names that start with the name of the query]:template:(name_prefix_match)' \
    '--regexp=[template: RE2 expression for ${match(N)}]:RE: ' \
    '--remove-empty-tags[template: remove tags that are empty after rendering]' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(service-namespace near only-passing tag node-meta service-meta connect ignore-check failover-nearest failover-datacenter failover-target session token dns-ttl regexp remove-empty-tags)' \
    '--file=[fields as JSON or YAML; - for standard input]:FILE|-:__lanyard_files' \
    '--replace[reset all other fields to their defaults, except the token]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    '--dry-run[show what would be created and updated without sending any change]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::NAME (name of the query; also --name):__lanyard_live'
}

_lanyard_query_delete() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':QUERY (name or ID of the query):__lanyard_live'
}

_lanyard_query_edit() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':QUERY (name or ID of the query):__lanyard_live'
}

_lanyard_query_exec() {
  __lanyard_leaf \
    '--near=[sort by distance from this node, _agent or _ip (the client address)]:NODE:__lanyard_live' \
    '--limit=[maximum number of instances (0: unlimited)]:N: ' \
    '--connect[only mesh-capable instances]' \
    '--format=[print in the format of another program instead of text]:format:(hosts ssh-config prometheus-sd addr)' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    '--stale[allow stale reads]' \
    '--consistent[fully consistent reads]' \
    '(-w --watch)'{-w,--watch}'[show the result again at each change, until interrupted]' \
    '--interval=[with --watch: poll at this interval instead of waiting for changes]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':QUERY (name or ID of the query):__lanyard_live'
}

_lanyard_query_explain() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    '--stale[allow stale reads]' \
    '--consistent[fully consistent reads]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':QUERY (name or ID of the query):__lanyard_live'
}

_lanyard_txn() {
  __lanyard_group _lanyard_txn "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_txn_apply() {
  __lanyard_leaf \
    '--stale[allow stale reads (read-only transactions)]' \
    '--consistent[fully consistent reads (read-only transactions)]' \
    '--chunk=[apply in several transactions of N operations each; not atomic]:N: ' \
    '--undo=[new file to write, with a transaction that undoes this one]:UNDO-FILE:__lanyard_files' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::FILE|- (operations; - for standard input (default -)):__lanyard_files'
}

_lanyard_txn_check() {
  __lanyard_leaf \
    "$out[@]" "$result[@]" "$every[@]" \
    '::FILE|- (operations; - for standard input (default -)):__lanyard_files'
}

_lanyard_registry() {
  __lanyard_group _lanyard_registry "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_service() {
  __lanyard_group _lanyard_registry_service "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_service_list() {
  __lanyard_leaf \
    '--filter=[filter expression on instances, such as ServicePort == 80]:EXPR: ' \
    '--stale[allow stale reads]' \
    '--consistent[fully consistent reads]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_service_get() {
  __lanyard_leaf \
    '--passing[only instances whose checks all pass]' \
    '--tag=[only instances with the tag]:TAG: ' \
    '--filter=[filter expression, such as Service.Meta.version == "2"]:EXPR: ' \
    '--near=[sort by distance from the node; _agent: from the agent]:NODE:__lanyard_live' \
    '--stale[allow stale reads]' \
    '--consistent[fully consistent reads]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    '(-w --watch)'{-w,--watch}'[show the result again at each change, until interrupted]' \
    '--interval=[with --watch: poll at this interval instead of waiting for changes]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (name of the service):__lanyard_live'
}

_lanyard_registry_service_register() {
  __lanyard_leaf \
    '--in=[definitions; - for standard input]:FILE|-:__lanyard_files' \
    '--id=[ID, unique at the agent (default: NAME)]:ID: ' \
    '(--address --service-address)'{--address=,--service-address=}'[address (default: the address of the node)]:ADDRESS: ' \
    '--port=[port]:PORT: ' \
    '*--tag=[tag; repeatable]:TAG: ' \
    '*--meta=[metadata; repeatable]:K=V: ' \
    '--check-ttl=[health check that must be updated within this time]:DURATION: ' \
    '--curl[print the equivalent curl command and send nothing]' \
    '--skip-verify[skip verification of the TLS certificate; prints a warning]' \
    "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::NAME (name of the service):__lanyard_text'
}

_lanyard_registry_service_deregister() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ID (ID of the service, not its name):__lanyard_live'
}

_lanyard_registry_node() {
  __lanyard_group _lanyard_registry_node "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_node_list() {
  __lanyard_leaf \
    '--filter=[filter expression, such as Meta.rack == "a"]:EXPR: ' \
    '--near=[sort by distance from the node; _agent: from the agent]:NODE:__lanyard_live' \
    '--stale[allow stale reads]' \
    '--consistent[fully consistent reads]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_node_get() {
  __lanyard_leaf \
    '--stale[allow stale reads]' \
    '--consistent[fully consistent reads]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (name of the node):__lanyard_live'
}

_lanyard_registry_kv() {
  __lanyard_group _lanyard_registry_kv "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_kv_get() {
  __lanyard_leaf \
    '--recursive[all keys with the prefix KEY, with their values]' \
    '--stale[allow stale reads]' \
    '--consistent[fully consistent reads]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    '(-w --watch)'{-w,--watch}'[show the result again at each change, until interrupted]' \
    '--interval=[with --watch: poll at this interval instead of waiting for changes]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':KEY (key, such as app/db/host):__lanyard_live'
}

_lanyard_registry_kv_list() {
  __lanyard_leaf \
    '--recursive[list every key]' \
    '--separator=[separator of names (default /)]:TEXT: ' \
    '--stale[allow stale reads]' \
    '--consistent[fully consistent reads]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::PREFIX (key prefix (default\: all keys)):__lanyard_live'
}

_lanyard_registry_kv_put() {
  __lanyard_leaf \
    '--cas=[write only if N is its ModifyIndex (0: must not exist)]:N: ' \
    '--flags=[number for the application, up to 2^64-1]:N: ' \
    '--base64[the value is in base64]' \
    '--acquire=[lock the key with the session]:SESSION:__lanyard_live' \
    '--release=[unlock the key]:SESSION:__lanyard_live' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':KEY (key, such as app/db/host):__lanyard_live' \
    ':VALUE|@FILE|- (value, a file with its bytes, or standard input):__lanyard_text'
}

_lanyard_registry_kv_delete() {
  __lanyard_leaf \
    '--recursive[delete all keys with the prefix KEY]' \
    '--cas=[delete only if N is the current ModifyIndex]:N: ' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':KEY (key, such as app/db/host):__lanyard_live'
}

_lanyard_registry_kv_export() {
  __lanyard_leaf \
    '--out=[file to write, of mode 0600 (default: standard output)]:FILE:__lanyard_files' \
    '--force[overwrite FILE]' \
    '--allow-partial[export only the keys that the token has permission to read]' \
    '--stale[allow stale reads]' \
    '--consistent[fully consistent reads]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$result[@]" "$every[@]" \
    '::PREFIX (key prefix (default\: all keys)):__lanyard_live'
}

_lanyard_registry_kv_import() {
  __lanyard_leaf \
    '--prefix=[text to put before each key]:TEXT: ' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':FILE|- (JSON file, or standard input):__lanyard_files'
}

_lanyard_registry_config() {
  __lanyard_group _lanyard_registry_config "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_config_list() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::KIND (kind, such as service-resolver):(proxy-defaults service-defaults service-router service-splitter service-resolver service-intentions mesh exported-services sameness-group jwt-provider ingress-gateway terminating-gateway api-gateway bound-api-gateway http-route tcp-route inline-certificate file-system-certificate control-plane-request-limit)'
}

_lanyard_registry_config_get() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':KIND (kind, such as service-resolver):(proxy-defaults service-defaults service-router service-splitter service-resolver service-intentions mesh exported-services sameness-group jwt-provider ingress-gateway terminating-gateway api-gateway bound-api-gateway http-route tcp-route inline-certificate file-system-certificate control-plane-request-limit)' \
    ':NAME (name of the entry\: a service, or global for proxy-defaults):__lanyard_live'
}

_lanyard_registry_config_put() {
  __lanyard_leaf \
    '--cas=[write only if N is the current ModifyIndex (0: the entry must not exist)]:N: ' \
    '--replace[reset all fields that are not in the file]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':FILE|- (entries, or - for standard input):__lanyard_files'
}

_lanyard_registry_config_delete() {
  __lanyard_leaf \
    '--cas=[delete only if N is the current ModifyIndex]:N: ' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':KIND (kind, such as service-resolver):(proxy-defaults service-defaults service-router service-splitter service-resolver service-intentions mesh exported-services sameness-group jwt-provider ingress-gateway terminating-gateway api-gateway bound-api-gateway http-route tcp-route inline-certificate file-system-certificate control-plane-request-limit)' \
    ':NAME (name of the entry\: a service, or global for proxy-defaults):__lanyard_live'
}

_lanyard_registry_session() {
  __lanyard_group _lanyard_registry_session "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_session_list() {
  __lanyard_leaf \
    '--node=[only sessions of the node]:NAME:__lanyard_live' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_session_get() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ID (session ID):__lanyard_live'
}

_lanyard_registry_session_create() {
  __lanyard_leaf \
    '--name=[name of the session; several may have the same]:NAME: ' \
    '--ttl=[lifetime of the session without a renewal, 10s to 24h (default: unlimited)]:DURATION: ' \
    '--lock-delay=[how long its keys cannot be locked after the session ended, up to 60s (default 15s)]:DURATION: ' \
    '--behavior=[what happens to its keys when the session ends (default release)]:behavior:(release delete)' \
    '--node=[node of the session (default: the node of the agent)]:NAME:__lanyard_live' \
    '*--node-check=[ID of a health check of the node that ends the session; repeatable (default serfHealth)]:CHECK: ' \
    '*--service-check=[ID of a health check of a service that ends the session; repeatable]:CHECK: ' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_session_delete() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ID (session ID):__lanyard_live'
}

_lanyard_registry_member() {
  __lanyard_group _lanyard_registry_member "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_member_list() {
  __lanyard_leaf \
    '--wan[servers of all datacenters]' \
    '--segment=[members of a network segment of Consul Enterprise]:NAME: ' \
    '--state=[only members in this state]:state:(none alive leaving left failed)' \
    '--filter=[filter expression, such as Tags\["role"\] == "consul"]:EXPR: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_datacenter() {
  __lanyard_group _lanyard_registry_datacenter "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_datacenter_list() {
  __lanyard_leaf "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_maintenance() {
  __lanyard_group _lanyard_registry_maintenance "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_maintenance_get() {
  __lanyard_leaf \
    '--service=[ID of a service of the agent (default: its node)]:ID:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_maintenance_enable() {
  __lanyard_leaf \
    '--service=[ID of a service of the agent (default: its node)]:ID:__lanyard_live' \
    '--reason=[reason, which others see (default: a text of the agent)]:TEXT: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_maintenance_disable() {
  __lanyard_leaf \
    '--service=[ID of a service of the agent (default: its node)]:ID:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_snapshot() {
  __lanyard_group _lanyard_registry_snapshot "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_registry_snapshot_save() {
  __lanyard_leaf \
    '--force[overwrite an existing file]' \
    '--stale[allow any server to save what it has, also without a leader]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':FILE (output file):__lanyard_files'
}

_lanyard_registry_snapshot_restore() {
  __lanyard_leaf \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':FILE (snapshot file):__lanyard_files'
}

_lanyard_registry_snapshot_inspect() {
  __lanyard_leaf \
    "$out[@]" "$result[@]" "$every[@]" \
    ':FILE (snapshot file):__lanyard_files'
}

_lanyard_registry_lock() {
  _arguments -s -S \
    '--wait=[how long to wait for the lock; 0: one attempt (default: until it is free)]:DURATION: ' \
    '--ttl=[lifetime of the lock without a renewal, 10s to 24h (default 15s)]:DURATION: ' \
    '--grace=[time between SIGTERM and SIGKILL if the lock is lost (default 5s)]:DURATION: ' \
    '--lock-delay=[how long a lost lock cannot be acquired, up to 60s (default 15s)]:DURATION: ' \
    '--name=[name of the session (default: from command and key)]:NAME: ' \
    '--node=[node of the session (default: the node of the agent)]:NAME:__lanyard_live' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$every[@]" \
    ':KEY (prefix of the lock, such as locks/backup):__lanyard_live' \
    '(-):COMMAND (command and arguments, after --):__lanyard_programs' \
    '*::arguments: _normal'
}

_lanyard_chain() {
  __lanyard_group _lanyard_chain "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_chain_get() {
  __lanyard_leaf \
    '--compile-dc=[datacenter to compile for (default: the datacenter of the agent)]:DC: ' \
    '--override-protocol=[override the protocol of every service]:override-protocol:(tcp http http2 grpc)' \
    '--override-connect-timeout=[override the connect timeout of every service]:DURATION: ' \
    '--override-mesh-gateway=[override the mesh gateway mode]:override-mesh-gateway:(none local remote)' \
    '--format=[print a diagram instead of text]:format:(dot mermaid)' \
    '--diff[show what the overrides change]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    '(-w --watch)'{-w,--watch}'[show the result again at each change, until interrupted]' \
    '--interval=[with --watch: poll at this interval instead of waiting for changes]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':SERVICE (name of the service):__lanyard_live'
}

_lanyard_discovery-chain() {
  __lanyard_group _lanyard_discovery-chain "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_discovery-chain_get() {
  __lanyard_leaf \
    '--compile-dc=[datacenter to compile for (default: the datacenter of the agent)]:DC: ' \
    '--override-protocol=[override the protocol of every service]:override-protocol:(tcp http http2 grpc)' \
    '--override-connect-timeout=[override the connect timeout of every service]:DURATION: ' \
    '--override-mesh-gateway=[override the mesh gateway mode]:override-mesh-gateway:(none local remote)' \
    '--format=[print a diagram instead of text]:format:(dot mermaid)' \
    '--diff[show what the overrides change]' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    '(-w --watch)'{-w,--watch}'[show the result again at each change, until interrupted]' \
    '--interval=[with --watch: poll at this interval instead of waiting for changes]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':SERVICE (name of the service):__lanyard_live'
}

_lanyard_box() {
  __lanyard_group _lanyard_box "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_box_list() {
  __lanyard_leaf \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::OWNER (user or organization (default\: the user of the token)):__lanyard_live'
}

_lanyard_box_search() {
  __lanyard_leaf \
    '--provider=[only boxes with this provider]:PROVIDER: ' \
    '--sort=[sort by downloads (default), created or updated]:sort:(downloads created updated)' \
    '--order=[sort order (default desc)]:order:(desc asc)' \
    '--limit=[boxes per page, at most 100 (default 10, with --all 100)]:N: ' \
    '--page=[page to show (default 1)]:N: ' \
    '--all[request all pages]' \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::Q (text to search for):__lanyard_text'
}

_lanyard_box_get() {
  __lanyard_leaf \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live'
}

_lanyard_box_create() {
  __lanyard_leaf \
    '--private[make the box visible only to authorized users]' \
    '--public[make the box visible to everyone]' \
    '--short-description=[short description, shown in search results]:TEXT: ' \
    '--description=[description in Markdown]:TEXT|@FILE|-:__lanyard_files' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live'
}

_lanyard_box_update() {
  __lanyard_leaf \
    '--private[make the box visible only to authorized users]' \
    '--public[make the box visible to everyone]' \
    '--short-description=[short description, shown in search results]:TEXT: ' \
    '--description=[description in Markdown]:TEXT|@FILE|-:__lanyard_files' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(short-description description)' \
    '--name=[new name, without the owner]:NAME: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live'
}

_lanyard_box_delete() {
  __lanyard_leaf \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live'
}

_lanyard_box_version() {
  __lanyard_group _lanyard_box_version "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_box_version_get() {
  __lanyard_leaf \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live' \
    ':VERSION (version, such as 1.0.0):__lanyard_live'
}

_lanyard_box_version_create() {
  __lanyard_leaf \
    '--description=[description of the version in Markdown]:TEXT|@FILE|-:__lanyard_files' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live' \
    ':VERSION (version, such as 1.0.0):__lanyard_live'
}

_lanyard_box_version_update() {
  __lanyard_leaf \
    '--description=[description of the version in Markdown]:TEXT|@FILE|-:__lanyard_files' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(description)' \
    '--number=[new version number]:VERSION: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live' \
    ':VERSION (version, such as 1.0.0):__lanyard_live'
}

_lanyard_box_version_delete() {
  __lanyard_leaf \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live' \
    ':VERSION (version, such as 1.0.0):__lanyard_live'
}

_lanyard_box_upload() {
  __lanyard_leaf \
    '--checksum-type=[type of the stored checksum (default: the existing type, else sha256)]:checksum-type:(md5 sha1 sha256 sha384 sha512)' \
    '--architecture=[architecture of the provider]:architecture:(amd64 i386 arm arm64 ppc64le ppc64 mips64le mips64 mipsle mips s390x unknown)' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live' \
    ':VERSION (version, such as 1.0.0):__lanyard_live' \
    ':PROVIDER (provider, such as virtualbox or libvirt):__lanyard_live' \
    ':FILE (image file):__lanyard_files'
}

_lanyard_box_publish() {
  __lanyard_leaf \
    '--private[make the box visible only to authorized users]' \
    '--public[make the box visible to everyone]' \
    '--short-description=[short description, shown in search results]:TEXT: ' \
    '--description=[description in Markdown]:TEXT|@FILE|-:__lanyard_files' \
    '--version-description=[description of the version in Markdown]:TEXT|@FILE|-:__lanyard_files' \
    '--url=[URL of the image, instead of FILE]:URL: ' \
    '--checksum=[checksum of the image at --url]:HEX: ' \
    '--checksum-type=[checksum type (default: sha256, or by the length of --checksum)]:checksum-type:(md5 sha1 sha256 sha384 sha512)' \
    '--architecture=[architecture of the provider]:architecture:(amd64 i386 arm arm64 ppc64le ppc64 mips64le mips64 mipsle mips s390x unknown)' \
    '--no-release[do not release the version; use "box release" later]' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live' \
    ':VERSION (version, such as 1.0.0):__lanyard_live' \
    ':PROVIDER (provider, such as virtualbox or libvirt):__lanyard_live' \
    '::FILE (image file; required without --url):__lanyard_files'
}

_lanyard_box_download() {
  __lanyard_leaf \
    '--out=[output file (default NAME-VERSION-PROVIDER.box)]:FILE:__lanyard_files' \
    '--force[overwrite an existing file]' \
    '--architecture=[architecture of the provider]:architecture:(amd64 i386 arm arm64 ppc64le ppc64 mips64le mips64 mipsle mips s390x unknown)' \
    "$service[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live' \
    '::VERSION (version (default\: latest released version)):__lanyard_live' \
    '::PROVIDER (provider (default\: the only one of the version)):__lanyard_live'
}

_lanyard_box_release() {
  __lanyard_leaf \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live' \
    ':VERSION (version, such as 1.0.0):__lanyard_live'
}

_lanyard_box_revoke() {
  __lanyard_leaf \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live' \
    ':VERSION (version, such as 1.0.0):__lanyard_live'
}

_lanyard_box_provider() {
  __lanyard_group _lanyard_box_provider "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_box_provider_get() {
  __lanyard_leaf \
    '--architecture=[architecture of the provider]:architecture:(amd64 i386 arm arm64 ppc64le ppc64 mips64le mips64 mipsle mips s390x unknown)' \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live' \
    ':VERSION (version, such as 1.0.0):__lanyard_live' \
    ':PROVIDER (provider, such as virtualbox or libvirt):__lanyard_live'
}

_lanyard_box_provider_create() {
  __lanyard_leaf \
    '--url=[URL of the image, instead of an upload]:URL: ' \
    '--checksum=[checksum of the image, verified on download]:HEX: ' \
    '--checksum-type=[type of --checksum (default: by its length)]:checksum-type:(md5 sha1 sha256 sha384 sha512)' \
    '--architecture=[architecture of the provider]:architecture:(amd64 i386 arm arm64 ppc64le ppc64 mips64le mips64 mipsle mips s390x unknown)' \
    '--default-architecture[use --architecture for clients that do not request an architecture]' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live' \
    ':VERSION (version, such as 1.0.0):__lanyard_live' \
    ':PROVIDER (provider, such as virtualbox or libvirt):__lanyard_live'
}

_lanyard_box_provider_update() {
  __lanyard_leaf \
    '--url=[URL of the image, instead of an upload]:URL: ' \
    '--checksum=[checksum of the image, verified on download]:HEX: ' \
    '--checksum-type=[type of --checksum (default: by its length)]:checksum-type:(md5 sha1 sha256 sha384 sha512)' \
    '--name=[new name]:NAME: ' \
    '--architecture=[architecture of the provider]:architecture:(amd64 i386 arm arm64 ppc64le ppc64 mips64le mips64 mipsle mips s390x unknown)' \
    '--default-architecture[use --architecture for clients that do not request an architecture]' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live' \
    ':VERSION (version, such as 1.0.0):__lanyard_live' \
    ':PROVIDER (provider, such as virtualbox or libvirt):__lanyard_live'
}

_lanyard_box_provider_delete() {
  __lanyard_leaf \
    '--architecture=[architecture of the provider]:architecture:(amd64 i386 arm arm64 ppc64le ppc64 mips64le mips64 mipsle mips s390x unknown)' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':OWNER/NAME (box, such as dev/web):__lanyard_live' \
    ':VERSION (version, such as 1.0.0):__lanyard_live' \
    ':PROVIDER (provider, such as virtualbox or libvirt):__lanyard_live'
}

_lanyard_box_token() {
  __lanyard_group _lanyard_box_token "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_box_token_create() {
  __lanyard_leaf \
    '--login=[user name or email address (default: prompt)]:LOGIN: ' \
    '--password=[source of the password: -, @FILE or env://NAME (default: prompt)]:SRC:__lanyard_files' \
    '--code=[source of the two-factor code: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--description=[description of the token]:TEXT: ' \
    '--no-store[print the token instead of storing it]' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_box_token_check() {
  __lanyard_leaf "$service[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_box_token_delete() {
  __lanyard_leaf "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_box_request-code() {
  __lanyard_leaf \
    '--login=[user name or email address (default: prompt)]:LOGIN: ' \
    '--password=[source of the password: -, @FILE or env://NAME (default: prompt)]:SRC:__lanyard_files' \
    '--delivery-method=[delivery method (default sms)]:delivery-method:(sms)' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_box_org() {
  __lanyard_group _lanyard_box_org "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_box_org_get() {
  __lanyard_leaf \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (user or organization):__lanyard_live'
}

_lanyard_box_org_create() {
  __lanyard_leaf \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (name of the organization, such as acme):__lanyard_text'
}

_lanyard_scheduler() {
  __lanyard_group _lanyard_scheduler "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_scheduler_acl() {
  __lanyard_group _lanyard_scheduler_acl "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_scheduler_acl_bootstrap() {
  __lanyard_leaf \
    '--secret=[source of the secret, a UUID: -, @FILE or env://NAME (default: generated by the service)]:SRC:__lanyard_files' \
    '--store[also store the token with the profile]' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_scheduler_acl_policy() {
  __lanyard_group _lanyard_scheduler_acl_policy "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_scheduler_acl_policy_list() {
  __lanyard_leaf "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_scheduler_acl_policy_get() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (name of the policy):__lanyard_live'
}

_lanyard_scheduler_acl_policy_put() {
  __lanyard_leaf \
    '--rules=[rules in HCL or JSON, a file or standard input]:RULES|@FILE|-:__lanyard_files' \
    '--no-check[send the rules without checking them]' \
    '--description=[description, at most 256 bytes]:TEXT: ' \
    '--job=[job that has the policy without a token, with %2F for a slash in a name]:NAMESPACE[/JOB[/GROUP[/TASK]]]: ' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(description job)' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (name of the policy):__lanyard_live'
}

_lanyard_scheduler_acl_policy_check() {
  __lanyard_leaf \
    "$out[@]" "$result[@]" "$every[@]" \
    ':RULES|@FILE|- (rules in HCL or JSON, a file or standard input):__lanyard_files'
}

_lanyard_scheduler_acl_policy_delete() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (name of the policy):__lanyard_live'
}

_lanyard_scheduler_acl_token() {
  __lanyard_group _lanyard_scheduler_acl_token "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_scheduler_acl_token_list() {
  __lanyard_leaf \
    '--policy=[only tokens with this policy]:NAME:__lanyard_live' \
    '--role=[only tokens with this role]:NAME|ID:__lanyard_live' \
    '--type=[only tokens of this type]:type:(client management)' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_scheduler_acl_token_get() {
  __lanyard_leaf \
    '--show-secret[show the secret]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':TOKEN (accessor ID or unique prefix of it, or unique name):__lanyard_live'
}

_lanyard_scheduler_acl_token_self() {
  __lanyard_leaf \
    '--show-secret[show the secret]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_scheduler_acl_token_create() {
  __lanyard_leaf \
    '--name=[name for people, at most 256 bytes]:TEXT: ' \
    '--type=[management for all permissions (default client)]:type:(client management)' \
    '*--policy=[policy of the token; repeatable]:NAME:__lanyard_live' \
    '*--role=[role of the token; repeatable]:NAME|ID:__lanyard_live' \
    '--global[valid in all regions, not only in the region of the server]' \
    '--ttl=[time until the token expires (default never)]:DURATION: ' \
    '--accessor=[accessor ID of a client token, a UUID (default: generated by the service)]:ID: ' \
    '--secret=[source of the secret of a client token, a UUID: -, @FILE or env://NAME (default: generated by the service)]:SRC:__lanyard_files' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_scheduler_acl_token_update() {
  __lanyard_leaf \
    '--name=[name for people, at most 256 bytes]:TEXT: ' \
    '*--policy=[policies, replacing all existing ones; repeatable]:NAME:__lanyard_live' \
    '*--role=[roles, replacing all existing ones; repeatable]:NAME|ID:__lanyard_live' \
    '*--add-policy=[policy to add; repeatable]:NAME:__lanyard_live' \
    '*--remove-policy=[policy to remove; repeatable]:NAME:__lanyard_live' \
    '*--add-role=[role to add; repeatable]:NAME|ID:__lanyard_live' \
    '*--remove-role=[role to remove; repeatable]:NAME|ID:__lanyard_live' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(name policy role)' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':TOKEN (accessor ID or unique prefix of it, or unique name):__lanyard_live'
}

_lanyard_scheduler_acl_token_delete() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':TOKEN (accessor ID or unique prefix of it, or unique name):__lanyard_live'
}

_lanyard_scheduler_acl_role() {
  __lanyard_group _lanyard_scheduler_acl_role "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_scheduler_acl_role_list() {
  __lanyard_leaf "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_scheduler_acl_role_get() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ROLE (name or ID of the role):__lanyard_live'
}

_lanyard_scheduler_acl_role_put() {
  __lanyard_leaf \
    '--description=[description, at most 256 bytes]:TEXT: ' \
    '*--policy=[policy of the role; repeatable]:NAME:__lanyard_live' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(description)' \
    '--name=[new name of the role]:NAME: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ROLE (name or ID of the role):__lanyard_live'
}

_lanyard_scheduler_acl_role_delete() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ROLE (name or ID of the role):__lanyard_live'
}

_lanyard_namespace() {
  __lanyard_group _lanyard_namespace "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_namespace_list() {
  __lanyard_leaf \
    '--prefix=[only names with this prefix]:TEXT:__lanyard_live' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_namespace_get() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (name of the namespace):__lanyard_live'
}

_lanyard_namespace_put() {
  __lanyard_leaf \
    '--description=[description, at most 256 bytes]:TEXT: ' \
    '--quota=[quota, if the service supports quotas]:NAME: ' \
    '*--meta=[metadata; replaces all existing metadata; repeatable]:K=V: ' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(description quota meta)' \
    '--in=[fields as JSON, YAML or HCL; - for standard input]:FILE|-:__lanyard_files' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::NAME (name of the namespace (default\: Name of the file)):__lanyard_live'
}

_lanyard_namespace_delete() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (name of the namespace):__lanyard_live'
}

_lanyard_var() {
  __lanyard_group _lanyard_var "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_var_list() {
  __lanyard_leaf \
    '--prefix=[only paths with this prefix]:TEXT:__lanyard_live' \
    '--filter=[filter expression, such as VariableMetadata.Path contains "db"]:EXPR: ' \
    '--per-page=[maximum number of variables; a note shows the token of the next page]:N: ' \
    '--next-token=[token of the page to request]:TOKEN: ' \
    '--all[request all pages]' \
    '(-w --watch)'{-w,--watch}'[show the result again at each change, until interrupted]' \
    '--interval=[with --watch: poll at this interval instead of waiting for changes]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_var_get() {
  __lanyard_leaf \
    '--reveal[show the values]' \
    '(-w --watch)'{-w,--watch}'[show the result again at each change, until interrupted]' \
    '--interval=[with --watch: poll at this interval instead of waiting for changes]:DURATION: ' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (path of the variable, such as app/db):__lanyard_live'
}

_lanyard_var_put() {
  __lanyard_leaf \
    '--in=[items as JSON, YAML, dotenv or HCL; - for standard input]:FILE|-:__lanyard_files' \
    '--format=[format of the file (default: from its name or content)]:format:(json yaml env hcl)' \
    '--cas=[write only if N is the current ModifyIndex (0: none exists)]:N: ' \
    '--force[ignore the ModifyIndex of the file]' \
    '--merge[update the given items; fail on a concurrent change]' \
    '--retry-merge[as --merge, but retry unless the same items were changed concurrently]' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::PATH (path of the variable, such as app/db (default\: path of the file)):__lanyard_live' \
    '*:K=V|K=@FILE|K=- (items; the values are strings):__lanyard_live'
}

_lanyard_var_edit() {
  __lanyard_leaf \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (path of the variable, such as app/db):__lanyard_live'
}

_lanyard_var_diff() {
  __lanyard_leaf \
    '--with=[file of items (with PATH), or directory of such files]:FILE|DIR|-:__lanyard_files' \
    '--format=[format of the file (default: from its name or content)]:format:(json yaml env hcl)' \
    '--with-namespace=[namespace to compare with]:NS:__lanyard_live' \
    '--prefix=[without PATH: only paths with this prefix]:TEXT:__lanyard_live' \
    '--reveal[show the values]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::DIR|PATH (directory; with --with or --with-namespace\: variable (default\: all)):__lanyard_live'
}

_lanyard_var_export() {
  __lanyard_leaf \
    '--prefix=[only paths with this prefix]:TEXT:__lanyard_live' \
    '--format=[format of the files (default json)]:format:(json yaml)' \
    '--force[overwrite files that differ]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':DIR|- (directory; created if missing; - for standard output):_files -/'
}

_lanyard_var_import() {
  __lanyard_leaf \
    '--dry-run[show what would be created and updated without sending any change]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':DIR (directory):_files -/'
}

_lanyard_var_lock() {
  _arguments -s -S \
    '--wait=[how long to wait for the lock; 0: one attempt (default: until it is free)]:DURATION: ' \
    '--ttl=[lifetime of the lock without a renewal, 10s to 24h (default 15s)]:DURATION: ' \
    '--grace=[time between SIGTERM and SIGKILL if the lock is lost (default 5s)]:DURATION: ' \
    '--lock-delay=[how long an expired lock stays locked (default 15s)]:DURATION: ' \
    '--discard-items[remove the items of the variable instead of reading them]' \
    '--env[set the items of the variable in the environment of the command]' \
    '--prefix=[prefix for all names]:TEXT: ' \
    '--upper[convert names to upper case]' \
    '*--allow-name=[allow a name that affects other programs, such as DOCKER_HOST; repeatable]:NAME: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$every[@]" \
    ':PATH (path of the variable, such as app/db):__lanyard_live' \
    '(-):COMMAND (command and arguments, after --):__lanyard_programs' \
    '*::arguments: _normal'
}

_lanyard_var_delete() {
  __lanyard_leaf \
    '--cas=[delete only if N is the current ModifyIndex]:N: ' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':PATH (path of the variable, such as app/db):__lanyard_live'
}

_lanyard_wait() {
  __lanyard_group _lanyard_wait "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_wait_service() {
  __lanyard_leaf \
    '--passing=[number of instances that must pass all checks (default 1 without --for)]:N: ' \
    '--tag=[only instances with the tag]:TAG: ' \
    '*--for=[condition: present, absent, changed or a JMESPath expression; repeatable, all must be met]:CONDITION: ' \
    '--any[stop waiting when one of the conditions is met]' \
    '*--fail-if=[condition that ends the wait with exit code 1; repeatable]:CONDITION: ' \
    '--stable=[how long the condition must be met without interruption]:DURATION: ' \
    '--timeout=[how long to wait, not the timeout of a request; 0: check once (default 60s)]:DURATION: ' \
    '--fail-fast[fail if the service is unreachable or unavailable, instead of waiting]' \
    '--interval=[poll at this interval instead of waiting for changes]:DURATION: ' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    '(-p --profile)'{-p+,--profile=}'[profile to use instead of the active one]:NAME:__lanyard_profiles' \
    '(-o --output)'{-o+,--output=}'[output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env]:output:(text json jsonl yaml table env dotenv github-env)' \
    '(-y --yes)'{-y,--yes}'[skip confirmation prompts]' \
    '--no-input[disable prompts; fail if input is required]' \
    '(-q --quiet)'{-q,--quiet}'[suppress notes, progress and messages of success]' \
    '(-v --verbose)'{-v,--verbose}'[log requests and responses to standard error, without secrets]' \
    '--debug=[append a trace of requests and responses to a file, without secrets]:FILE:__lanyard_files' \
    '--no-color[disable color (also NO_COLOR, TERM=dumb)]' \
    '(- : *)'{-h,--help}'[show the help of the command]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" \
    ':NAME (name of the service):__lanyard_live'
}

_lanyard_wait_key() {
  __lanyard_leaf \
    '*--for=[condition: present, absent, changed or a JMESPath expression; repeatable, all must be met]:CONDITION: ' \
    '--any[stop waiting when one of the conditions is met]' \
    '*--fail-if=[condition that ends the wait with exit code 1; repeatable]:CONDITION: ' \
    '--stable=[how long the condition must be met without interruption]:DURATION: ' \
    '--timeout=[how long to wait, not the timeout of a request; 0: check once (default 60s)]:DURATION: ' \
    '--fail-fast[fail if the service is unreachable or unavailable, instead of waiting]' \
    '--interval=[poll at this interval instead of waiting for changes]:DURATION: ' \
    '(--dc --datacenter)'{--dc=,--datacenter=}'[datacenter (default: from settings, else agent'\''s)]:DC:__lanyard_live' \
    '(-p --profile)'{-p+,--profile=}'[profile to use instead of the active one]:NAME:__lanyard_profiles' \
    '(-o --output)'{-o+,--output=}'[output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env]:output:(text json jsonl yaml table env dotenv github-env)' \
    '(-y --yes)'{-y,--yes}'[skip confirmation prompts]' \
    '--no-input[disable prompts; fail if input is required]' \
    '(-q --quiet)'{-q,--quiet}'[suppress notes, progress and messages of success]' \
    '(-v --verbose)'{-v,--verbose}'[log requests and responses to standard error, without secrets]' \
    '--debug=[append a trace of requests and responses to a file, without secrets]:FILE:__lanyard_files' \
    '--no-color[disable color (also NO_COLOR, TERM=dumb)]' \
    '(- : *)'{-h,--help}'[show the help of the command]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" \
    ':KEY (key, such as app/db/host):__lanyard_live'
}

_lanyard_wait_var() {
  __lanyard_leaf \
    '*--for=[condition: present, absent, changed or a JMESPath expression; repeatable, all must be met]:CONDITION: ' \
    '--any[stop waiting when one of the conditions is met]' \
    '*--fail-if=[condition that ends the wait with exit code 1; repeatable]:CONDITION: ' \
    '--stable=[how long the condition must be met without interruption]:DURATION: ' \
    '--timeout=[how long to wait, not the timeout of a request; 0: check once (default 60s)]:DURATION: ' \
    '--fail-fast[fail if the service is unreachable or unavailable, instead of waiting]' \
    '--interval=[poll at this interval instead of waiting for changes]:DURATION: ' \
    '(-p --profile)'{-p+,--profile=}'[profile to use instead of the active one]:NAME:__lanyard_profiles' \
    '(-o --output)'{-o+,--output=}'[output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env]:output:(text json jsonl yaml table env dotenv github-env)' \
    '(-y --yes)'{-y,--yes}'[skip confirmation prompts]' \
    '--no-input[disable prompts; fail if input is required]' \
    '(-q --quiet)'{-q,--quiet}'[suppress notes, progress and messages of success]' \
    '(-v --verbose)'{-v,--verbose}'[log requests and responses to standard error, without secrets]' \
    '--debug=[append a trace of requests and responses to a file, without secrets]:FILE:__lanyard_files' \
    '--no-color[disable color (also NO_COLOR, TERM=dumb)]' \
    '(- : *)'{-h,--help}'[show the help of the command]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" \
    ':PATH (path of the variable, such as app/db):__lanyard_live'
}

_lanyard_wait_kv() {
  __lanyard_leaf \
    '*--for=[condition: present, absent, changed or a JMESPath expression; repeatable, all must be met]:CONDITION: ' \
    '--any[stop waiting when one of the conditions is met]' \
    '*--fail-if=[condition that ends the wait with exit code 1; repeatable]:CONDITION: ' \
    '--stable=[how long the condition must be met without interruption]:DURATION: ' \
    '--timeout=[how long to wait, not the timeout of a request; 0: check once (default 60s)]:DURATION: ' \
    '--fail-fast[fail if the service is unreachable or unavailable, instead of waiting]' \
    '--interval=[poll at this interval instead of waiting for changes]:DURATION: ' \
    '--mount=[mount path of the engine; PATH is relative to it]:MOUNT:__lanyard_live' \
    '(-p --profile)'{-p+,--profile=}'[profile to use instead of the active one]:NAME:__lanyard_profiles' \
    '(-o --output)'{-o+,--output=}'[output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env]:output:(text json jsonl yaml table env dotenv github-env)' \
    '(-y --yes)'{-y,--yes}'[skip confirmation prompts]' \
    '--no-input[disable prompts; fail if input is required]' \
    '(-q --quiet)'{-q,--quiet}'[suppress notes, progress and messages of success]' \
    '(-v --verbose)'{-v,--verbose}'[log requests and responses to standard error, without secrets]' \
    '--debug=[append a trace of requests and responses to a file, without secrets]:FILE:__lanyard_files' \
    '--no-color[disable color (also NO_COLOR, TERM=dumb)]' \
    '(- : *)'{-h,--help}'[show the help of the command]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" \
    ':PATH (mount and name of the secret, such as secret/app/db):__lanyard_live'
}

_lanyard_wait_status() {
  __lanyard_leaf \
    '*--for=[condition: present, absent, changed or a JMESPath expression; repeatable, all must be met]:CONDITION: ' \
    '--any[stop waiting when one of the conditions is met]' \
    '*--fail-if=[condition that ends the wait with exit code 1; repeatable]:CONDITION: ' \
    '--stable=[how long the condition must be met without interruption]:DURATION: ' \
    '--timeout=[how long to wait, not the timeout of a request; 0: check once (default 60s)]:DURATION: ' \
    '--fail-fast[fail if the service is unreachable or unavailable, instead of waiting]' \
    '--interval=[poll at this interval instead of waiting for changes]:DURATION: ' \
    '(-p --profile)'{-p+,--profile=}'[profile to use instead of the active one]:NAME:__lanyard_profiles' \
    '(-o --output)'{-o+,--output=}'[output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env]:output:(text json jsonl yaml table env dotenv github-env)' \
    '(-y --yes)'{-y,--yes}'[skip confirmation prompts]' \
    '--no-input[disable prompts; fail if input is required]' \
    '(-q --quiet)'{-q,--quiet}'[suppress notes, progress and messages of success]' \
    '(-v --verbose)'{-v,--verbose}'[log requests and responses to standard error, without secrets]' \
    '--debug=[append a trace of requests and responses to a file, without secrets]:FILE:__lanyard_files' \
    '--no-color[disable color (also NO_COLOR, TERM=dumb)]' \
    '(- : *)'{-h,--help}'[show the help of the command]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" \
    ':SERVICE (secrets, registry, box, scheduler, accounts):(secrets registry box scheduler accounts)'
}

_lanyard_wait_secrets() {
  __lanyard_leaf \
    '*--for=[condition: present, absent, changed or a JMESPath expression; repeatable, all must be met]:CONDITION: ' \
    '--any[stop waiting when one of the conditions is met]' \
    '*--fail-if=[condition that ends the wait with exit code 1; repeatable]:CONDITION: ' \
    '--stable=[how long the condition must be met without interruption]:DURATION: ' \
    '--timeout=[how long to wait, not the timeout of a request; 0: check once (default 60s)]:DURATION: ' \
    '--fail-fast[fail if the service is unreachable or unavailable, instead of waiting]' \
    '--interval=[poll at this interval instead of waiting for changes]:DURATION: ' \
    '(-p --profile)'{-p+,--profile=}'[profile to use instead of the active one]:NAME:__lanyard_profiles' \
    '(-o --output)'{-o+,--output=}'[output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env]:output:(text json jsonl yaml table env dotenv github-env)' \
    '(-y --yes)'{-y,--yes}'[skip confirmation prompts]' \
    '--no-input[disable prompts; fail if input is required]' \
    '(-q --quiet)'{-q,--quiet}'[suppress notes, progress and messages of success]' \
    '(-v --verbose)'{-v,--verbose}'[log requests and responses to standard error, without secrets]' \
    '--debug=[append a trace of requests and responses to a file, without secrets]:FILE:__lanyard_files' \
    '--no-color[disable color (also NO_COLOR, TERM=dumb)]' \
    '(- : *)'{-h,--help}'[show the help of the command]' \
    "$service[@]" "$namespace[@]" "$out[@]" "$result[@]" \
    ':STATE (initialized or unsealed):(unsealed initialized)'
}

_lanyard_account() {
  __lanyard_group _lanyard_account "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_list() {
  __lanyard_leaf \
    '--auth-method=[auth method of the accounts (default: BOUNDARY_AUTH_METHOD_ID, the profile, or the primary auth method)]:ID:__lanyard_live' \
    '--filter=[filter expression, such as "/item/name" == "ci"]:EXPR: ' \
    '--since=[only changes since the list with this token]:LIST_TOKEN: ' \
    '--page-size=[accounts per page (default: set by the service)]:N: ' \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_get() {
  __lanyard_leaf \
    '--auth-method=[auth method of a login name (default: from settings, else the primary one)]:ID:__lanyard_live' \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ACCOUNT (ID or login name, such as acctpw_1234567890 or bob):__lanyard_live'
}

_lanyard_account_create() {
  __lanyard_leaf \
    '--auth-method=[auth method of the account (default: BOUNDARY_AUTH_METHOD_ID, the profile, or the primary auth method)]:ID:__lanyard_live' \
    '--type=[account type (default: type of the auth method)]:type:(password oidc ldap)' \
    '--name=[account name]:NAME: ' \
    '--description=[account description]:TEXT: ' \
    '--login-name=[password, ldap: login name]:NAME: ' \
    '--issuer=[oidc: issuer (default: issuer of the auth method)]:URL: ' \
    '--subject=[oidc: subject at the issuer]:ID: ' \
    '--full-name=[oidc, ldap: full name]:NAME: ' \
    '--email=[oidc, ldap: email address]:ADDRESS: ' \
    '--dn=[ldap: distinguished name]:DN: ' \
    '*--member-of-groups=[ldap: group of the account; repeatable]:GROUP: ' \
    '--token-claims=[oidc: ID token claims, an object in JSON or YAML]:FILE|-:__lanyard_files' \
    '--userinfo-claims=[oidc: user info claims, an object in JSON or YAML]:FILE|-:__lanyard_files' \
    '--password=[password: source of the password: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--no-password[password: create the account without a password]' \
    '--user=[name or ID of the user that gets the account; a missing name is created]:USER:__lanyard_live' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_update() {
  __lanyard_leaf \
    '--name=[account name; null or "" clears it, '\''"null"'\'' is the text null]:NAME: ' \
    '--description=[account description; null clears it]:TEXT: ' \
    '--login-name=[password, ldap: login name]:NAME: ' \
    '--issuer=[oidc: issuer (default: issuer of the auth method)]:URL: ' \
    '--subject=[oidc: subject at the issuer]:ID: ' \
    '--full-name=[oidc, ldap: full name; null clears it]:NAME: ' \
    '--email=[oidc, ldap: email address; null clears it]:ADDRESS: ' \
    '--dn=[ldap: distinguished name; null clears it]:DN: ' \
    '*--member-of-groups=[ldap: group of the account; repeatable]:GROUP: ' \
    '--token-claims=[oidc: ID token claims, an object in JSON or YAML]:FILE|-:__lanyard_files' \
    '--userinfo-claims=[oidc: user info claims, an object in JSON or YAML]:FILE|-:__lanyard_files' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(name description full-name email dn member-of-groups)' \
    '--auth-method=[auth method of a login name (default: from settings, else the primary one)]:ID:__lanyard_live' \
    '--at=[version that the account must have (default: current)]:VERSION: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ACCOUNT (ID or login name, such as acctpw_1234567890 or bob):__lanyard_live'
}

_lanyard_account_delete() {
  __lanyard_leaf \
    '--auth-method=[auth method of a login name (default: from settings, else the primary one)]:ID:__lanyard_live' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ACCOUNT (ID or login name, such as acctpw_1234567890 or bob):__lanyard_live'
}

_lanyard_account_change-password() {
  __lanyard_leaf \
    '--current-password=[source of the current password: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--new-password=[source of the new password: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--auth-method=[auth method of a login name (default: from settings, else the primary one)]:ID:__lanyard_live' \
    '--at=[version that the account must have (default: current)]:VERSION: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ACCOUNT (ID or login name, such as acctpw_1234567890 or bob):__lanyard_live'
}

_lanyard_account_set-password() {
  __lanyard_leaf \
    '--password=[source of the password: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--no-password[remove the password; the account can no longer log in]' \
    '--auth-method=[auth method of a login name (default: from settings, else the primary one)]:ID:__lanyard_live' \
    '--at=[version that the account must have (default: current)]:VERSION: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ACCOUNT (ID or login name, such as acctpw_1234567890 or bob):__lanyard_live'
}

_lanyard_account_auth-method() {
  __lanyard_group _lanyard_account_auth-method "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_auth-method_list() {
  __lanyard_leaf \
    '--scope=[scope of the auth methods: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--filter=[filter expression, such as "/item/type" == "oidc"]:EXPR: ' \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_auth-method_create() {
  __lanyard_leaf \
    '--type=[type (default password)]:type:(password oidc ldap)' \
    '--scope=[scope of the auth method: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--description=[description]:TEXT: ' \
    '--min-login-name-length=[password: minimum length of a login name (default 3)]:N: ' \
    '--min-password-length=[password: minimum length of a password (default 8)]:N: ' \
    '--issuer=[oidc: URL of the identity provider]:URL: ' \
    '--client-id=[oidc: ID of the client at the identity provider]:ID: ' \
    '--client-secret=[oidc: source of the client secret: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--api-url-prefix=[oidc: URL of this service, for the callback]:URL: ' \
    '--max-age=[oidc: maximum age of a login at the identity provider, in seconds]:SECONDS: ' \
    '*--signing-algorithm=[oidc: accepted signing algorithm of tokens; repeatable]:ALG: ' \
    '*--idp-ca-cert=[oidc: CA certificate of the identity provider in PEM form; repeatable]:@FILE:__lanyard_files' \
    '*--allowed-audience=[oidc: accepted audience of tokens; repeatable]:AUDIENCE: ' \
    '*'{--claims-scope=,--claims-scopes=}'[oidc: requested scope of claims; repeatable]:SCOPE: ' \
    '*'{--account-claim-map=,--account-claim-maps=}'[oidc: claim that a field of an account is taken from; repeatable]:CLAIM=FIELD: ' \
    '*'{--prompt=,--prompts=}'[oidc: what the identity provider asks for; repeatable]:PROMPT: ' \
    '--state=[oidc, ldap: state; only an active auth method accepts logins]:state:(inactive active-private active-public)' \
    '*'{--url=,--urls=}'[ldap: URL of the directory; repeatable]:URL: ' \
    '--start-tls[ldap: use StartTLS]' \
    '--insecure-tls[ldap: do not verify the certificate of the directory]' \
    '*--certificate=[ldap: CA certificate of the directory in PEM form; repeatable]:@FILE:__lanyard_files' \
    '--client-certificate=[ldap: client certificate in PEM form]:@FILE:__lanyard_files' \
    '--client-certificate-key=[ldap: source of the key of the client certificate: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--bind-dn=[ldap: DN that searches are made with]:DN: ' \
    '--bind-password=[ldap: source of the password of --bind-dn: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--discover-dn[ldap: search for the DN of a user]' \
    '--anon-group-search[ldap: search for groups without a login]' \
    '--upn-domain=[ldap: domain of user principal names]:DOMAIN: ' \
    '--user-dn=[ldap: where users are searched for]:DN: ' \
    '--user-attr=[ldap: attribute of the login name]:NAME: ' \
    '--user-filter=[ldap: filter of the search for users]:FILTER: ' \
    '--enable-groups[ldap: search for the groups of users]' \
    '--group-dn=[ldap: where groups are searched for]:DN: ' \
    '--group-attr=[ldap: attribute of the name of a group]:NAME: ' \
    '--group-filter=[ldap: filter of the search for groups]:FILTER: ' \
    '--use-token-groups[ldap: use the tokenGroups attribute]' \
    '*--account-attribute-map=[ldap: attribute that a field of an account is taken from; repeatable]:ATTRIBUTE=FIELD: ' \
    '--max-page-size=[ldap: maximum number of entries per page of a search]:N: ' \
    '--deref-aliases=[ldap: when aliases are followed]:deref-aliases:(NeverDerefAliases DerefInSearching DerefFindingBaseObj DerefAlways)' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (name, unique in the scope):__lanyard_text'
}

_lanyard_account_auth-method_get() {
  __lanyard_leaf \
    '--scope=[scope of a method given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::METHOD (name or ID, such as staff or ampw_1234567890):__lanyard_live'
}

_lanyard_account_auth-method_update() {
  __lanyard_leaf \
    '--name=[new name of the auth method]:NAME: ' \
    '--description=[description]:TEXT: ' \
    '--min-login-name-length=[password: minimum length of a login name (default 3)]:N: ' \
    '--min-password-length=[password: minimum length of a password (default 8)]:N: ' \
    '--issuer=[oidc: URL of the identity provider]:URL: ' \
    '--client-id=[oidc: ID of the client at the identity provider]:ID: ' \
    '--client-secret=[oidc: source of the client secret: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--api-url-prefix=[oidc: URL of this service, for the callback]:URL: ' \
    '--max-age=[oidc: maximum age of a login at the identity provider, in seconds]:SECONDS: ' \
    '*--signing-algorithm=[oidc: accepted signing algorithm of tokens; repeatable]:ALG: ' \
    '*--idp-ca-cert=[oidc: CA certificate of the identity provider in PEM form; repeatable]:@FILE:__lanyard_files' \
    '*--allowed-audience=[oidc: accepted audience of tokens; repeatable]:AUDIENCE: ' \
    '*'{--claims-scope=,--claims-scopes=}'[oidc: requested scope of claims; repeatable]:SCOPE: ' \
    '*'{--account-claim-map=,--account-claim-maps=}'[oidc: claim that a field of an account is taken from; repeatable]:CLAIM=FIELD: ' \
    '*'{--prompt=,--prompts=}'[oidc: what the identity provider asks for; repeatable]:PROMPT: ' \
    '--state=[oidc, ldap: state; only an active auth method accepts logins]:state:(inactive active-private active-public)' \
    '*'{--url=,--urls=}'[ldap: URL of the directory; repeatable]:URL: ' \
    '--start-tls[ldap: use StartTLS]' \
    '--insecure-tls[ldap: do not verify the certificate of the directory]' \
    '*--certificate=[ldap: CA certificate of the directory in PEM form; repeatable]:@FILE:__lanyard_files' \
    '--client-certificate=[ldap: client certificate in PEM form]:@FILE:__lanyard_files' \
    '--client-certificate-key=[ldap: source of the key of the client certificate: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--bind-dn=[ldap: DN that searches are made with]:DN: ' \
    '--bind-password=[ldap: source of the password of --bind-dn: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--discover-dn[ldap: search for the DN of a user]' \
    '--anon-group-search[ldap: search for groups without a login]' \
    '--upn-domain=[ldap: domain of user principal names]:DOMAIN: ' \
    '--user-dn=[ldap: where users are searched for]:DN: ' \
    '--user-attr=[ldap: attribute of the login name]:NAME: ' \
    '--user-filter=[ldap: filter of the search for users]:FILTER: ' \
    '--enable-groups[ldap: search for the groups of users]' \
    '--group-dn=[ldap: where groups are searched for]:DN: ' \
    '--group-attr=[ldap: attribute of the name of a group]:NAME: ' \
    '--group-filter=[ldap: filter of the search for groups]:FILTER: ' \
    '--use-token-groups[ldap: use the tokenGroups attribute]' \
    '*--account-attribute-map=[ldap: attribute that a field of an account is taken from; repeatable]:ATTRIBUTE=FIELD: ' \
    '--max-page-size=[ldap: maximum number of entries per page of a search]:N: ' \
    '--deref-aliases=[ldap: when aliases are followed]:deref-aliases:(NeverDerefAliases DerefInSearching DerefFindingBaseObj DerefAlways)' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(description min-login-name-length min-password-length max-age signing-algorithm idp-ca-cert allowed-audience claims-scope account-claim-map prompt start-tls insecure-tls certificate client-certificate client-certificate-key bind-dn bind-password discover-dn anon-group-search upn-domain user-dn user-attr user-filter enable-groups group-dn group-attr group-filter use-token-groups account-attribute-map max-page-size deref-aliases)' \
    '--disable-discovered-config-validation[oidc: do not compare the settings with the configuration that the issuer publishes]' \
    '--scope=[scope of a method given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--at=[version that the auth method must have (default: current)]:VERSION: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':METHOD (name or ID, such as staff or ampw_1234567890):__lanyard_live'
}

_lanyard_account_auth-method_delete() {
  __lanyard_leaf \
    '--scope=[scope of a method given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':METHOD (name or ID, such as staff or ampw_1234567890):__lanyard_live'
}

_lanyard_account_user() {
  __lanyard_group _lanyard_account_user "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_user_list() {
  __lanyard_leaf \
    '--scope=[scope of the users: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--recursive[also of the scopes below]' \
    '--filter=[filter expression, such as "/item/name" == "ops"]:EXPR: ' \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_user_get() {
  __lanyard_leaf \
    '--scope=[scope of a user given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':USER (name or ID, such as bob or u_1234567890):__lanyard_live'
}

_lanyard_account_user_create() {
  __lanyard_leaf \
    '--description=[description]:TEXT: ' \
    '--scope=[scope of the user: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (name, unique in the scope):__lanyard_text'
}

_lanyard_account_user_update() {
  __lanyard_leaf \
    '--name=[new name of the user]:NAME: ' \
    '--description=[description]:TEXT: ' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(description)' \
    '--scope=[scope of a user given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--at=[version that the user must have (default: current)]:VERSION: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':USER (name or ID, such as bob or u_1234567890):__lanyard_live'
}

_lanyard_account_user_delete() {
  __lanyard_leaf \
    '--scope=[scope of a user given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':USER (name or ID, such as bob or u_1234567890):__lanyard_live'
}

_lanyard_account_user_add-accounts() {
  __lanyard_leaf \
    '--scope=[scope of a user given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--auth-method=[auth method of a login name (default: from settings, else the primary one)]:ID:__lanyard_live' \
    '--at=[version that the user must have (default: current)]:VERSION: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':USER (name or ID, such as bob or u_1234567890):__lanyard_live' \
    '*:ACCOUNT (IDs or login names):__lanyard_live'
}

_lanyard_account_user_remove-accounts() {
  __lanyard_leaf \
    '--scope=[scope of a user given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--auth-method=[auth method of a login name (default: from settings, else the primary one)]:ID:__lanyard_live' \
    '--at=[version that the user must have (default: current)]:VERSION: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':USER (name or ID, such as bob or u_1234567890):__lanyard_live' \
    '*:ACCOUNT (IDs or login names):__lanyard_live'
}

_lanyard_account_role() {
  __lanyard_group _lanyard_account_role "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_role_list() {
  __lanyard_leaf \
    '--scope=[scope of the roles: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--recursive[also of the scopes below]' \
    '--filter=[filter expression, such as "/item/name" == "ops"]:EXPR: ' \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_role_get() {
  __lanyard_leaf \
    '--scope=[scope of a role given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ROLE (name or ID, such as ops or r_1234567890):__lanyard_live'
}

_lanyard_account_role_create() {
  __lanyard_leaf \
    '--description=[description]:TEXT: ' \
    '*--grant-scope=[scope of the grants: this (default), children, descendants, or a scope; repeatable]:SCOPE:__lanyard_live' \
    '--scope=[scope of the role: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '*--grant=[grant, such as "ids=*;type=target;actions=list,read"; repeatable]:GRANT: ' \
    '*--principal=[name of a user, or ID of a user or group, that gets the role; repeatable]:USER:__lanyard_live' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (name, unique in the scope):__lanyard_text'
}

_lanyard_account_role_update() {
  __lanyard_leaf \
    '--name=[new name of the role]:NAME: ' \
    '--description=[description]:TEXT: ' \
    '*--grant-scope=[scope of the grants: this (default), children, descendants, or a scope; repeatable]:SCOPE:__lanyard_live' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(description)' \
    '--scope=[scope of a role given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--at=[version that the role must have (default: current)]:VERSION: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ROLE (name or ID, such as ops or r_1234567890):__lanyard_live'
}

_lanyard_account_role_delete() {
  __lanyard_leaf \
    '--scope=[scope of a role given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ROLE (name or ID, such as ops or r_1234567890):__lanyard_live'
}

_lanyard_account_role_add-grants() {
  __lanyard_leaf \
    '--scope=[scope of a role given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--at=[version that the role must have (default: current)]:VERSION: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ROLE (name or ID, such as ops or r_1234567890):__lanyard_live' \
    '*:GRANT (grants, such as "ids=*;type=user;actions=read"):__lanyard_text'
}

_lanyard_account_role_remove-grants() {
  __lanyard_leaf \
    '--scope=[scope of a role given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--at=[version that the role must have (default: current)]:VERSION: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ROLE (name or ID, such as ops or r_1234567890):__lanyard_live' \
    '*:GRANT (grants of the role):__lanyard_text'
}

_lanyard_account_role_add-principals() {
  __lanyard_leaf \
    '--scope=[scope of a role given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--at=[version that the role must have (default: current)]:VERSION: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ROLE (name or ID, such as ops or r_1234567890):__lanyard_live' \
    '*:USER (names of users, or IDs of users and groups):__lanyard_live'
}

_lanyard_account_role_remove-principals() {
  __lanyard_leaf \
    '--scope=[scope of a role given by name: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--at=[version that the role must have (default: current)]:VERSION: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':ROLE (name or ID, such as ops or r_1234567890):__lanyard_live' \
    '*:USER (names of users, or IDs of users and groups):__lanyard_live'
}

_lanyard_account_scope() {
  __lanyard_group _lanyard_account_scope "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_scope_list() {
  __lanyard_leaf \
    '--scope=[scope of the scopes: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--recursive[also the projects of the organizations]' \
    '--filter=[filter expression, such as "/item/name" == "ops"]:EXPR: ' \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_scope_get() {
  __lanyard_leaf \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':SCOPE (global, ORGANIZATION[/PROJECT] by name, or an ID):__lanyard_live'
}

_lanyard_account_scope_create() {
  __lanyard_leaf \
    '--description=[description]:TEXT: ' \
    '--scope=[scope above the new one: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--skip-admin-role-creation[create no role with all permissions for you]' \
    '--skip-default-role-creation[create no role for logins]' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (name, unique in the scope above):__lanyard_text'
}

_lanyard_account_scope_update() {
  __lanyard_leaf \
    '--name=[new name of the scope]:NAME: ' \
    '--description=[description]:TEXT: ' \
    '--primary-auth-method=[primary auth method: its accounts get a user with their first login]:ID:__lanyard_live' \
    '*--unset=[reset the field of a flag; repeatable]:unset:(description primary-auth-method)' \
    '--at=[version that the scope must have (default: current)]:VERSION: ' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':SCOPE (global, ORGANIZATION[/PROJECT] by name, or an ID):__lanyard_live'
}

_lanyard_account_scope_delete() {
  __lanyard_leaf \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':SCOPE (global, ORGANIZATION[/PROJECT] by name, or an ID):__lanyard_live'
}

_lanyard_account_login() {
  __lanyard_leaf \
    '--auth-method=[auth method (default: BOUNDARY_AUTH_METHOD_ID, the profile, or the primary auth method)]:ID:__lanyard_live' \
    '--login-name=[password, ldap: login name of the account]:NAME: ' \
    '--password=[password, ldap: source of the password: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    '--no-browser[oidc: print the URL instead of opening a browser]' \
    '--wait=[oidc: time to wait for the browser (default 5m)]:DURATION: ' \
    '--no-store[print the token instead of storing it]' \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_logout() {
  __lanyard_leaf "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_token() {
  __lanyard_group _lanyard_account_token "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_token_list() {
  __lanyard_leaf \
    '--all[tokens of all users]' \
    '--scope=[scope of the tokens: global, ORGANIZATION\[/PROJECT\] by name, or an ID (default global)]:SCOPE:__lanyard_live' \
    '--filter=[filter expression, such as "/item/account_id" == "acctpw_1234567890"]:EXPR: ' \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_account_token_get() {
  __lanyard_leaf \
    "$service[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::ID (token ID, such as at_1234567890 (default\: the current token)):__lanyard_live'
}

_lanyard_account_token_delete() {
  __lanyard_leaf \
    "$service[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    '::ID (token ID, such as at_1234567890 (default\: the current token)):__lanyard_live'
}

_lanyard_profile() {
  __lanyard_group _lanyard_profile "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_profile_list() {
  __lanyard_leaf "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_profile_get() {
  __lanyard_leaf \
    "$out[@]" "$result[@]" "$every[@]" \
    '::NAME (profile to show (default\: the current one)):__lanyard_profiles'
}

_lanyard_profile_put() {
  __lanyard_leaf \
    '--ssh-role=[default role of the SSH commands]:ROLE: ' \
    '--ssh-mount=[default mount path of the SSH engine]:PATH:__lanyard_live' \
    '--ssh-principals=[default principals of user certificates]:A,B: ' \
    '--ssh-revoked=[location of the SSH revocation list]:LOCATION: ' \
    '--ssh-record=[location of the record of signed SSH certificates]:LOCATION: ' \
    "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (profile to write):__lanyard_profiles' \
    '*:SERVICE.SETTING=VALUE (setting; an empty VALUE removes it):__lanyard_text'
}

_lanyard_profile_import() {
  __lanyard_leaf \
    '--force[replace an existing profile and its stored tokens]' \
    "$out[@]" "$result[@]" "$every[@]" \
    '::NAME (profile to create (default\: default)):__lanyard_profiles'
}

_lanyard_profile_use() {
  __lanyard_leaf \
    "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (profile to use):__lanyard_profiles'
}

_lanyard_profile_delete() {
  __lanyard_leaf \
    "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (profile to delete):__lanyard_profiles'
}

_lanyard_alias() {
  __lanyard_group _lanyard_alias "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_alias_list() {
  __lanyard_leaf "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_alias_get() {
  __lanyard_leaf \
    "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (alias to print):__lanyard_live'
}

_lanyard_alias_set() {
  __lanyard_leaf \
    '(-s --shell)'{-s,--shell}'[run EXPANSION with sh, with the arguments as "$@"]' \
    '--force[replace an existing alias]' \
    "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (first word of the new command):__lanyard_live' \
    ':EXPANSION (command line without "lanyard"; - for standard input):__lanyard_text'
}

_lanyard_alias_delete() {
  __lanyard_leaf \
    "$out[@]" "$result[@]" "$every[@]" \
    ':NAME (alias to delete):__lanyard_live'
}

_lanyard_plugin() {
  __lanyard_group _lanyard_plugin "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_plugin_list() {
  __lanyard_leaf "$out[@]" "$result[@]" "$every[@]"
}

_lanyard_api() {
  __lanyard_leaf \
    '--data=[source of the request body: -, @FILE or env://NAME]:SRC:__lanyard_files' \
    "$service[@]" "$namespace[@]" "$writes[@]" "$out[@]" "$result[@]" "$every[@]" \
    ':SERVICE (service\: secrets, registry, box, scheduler or accounts):(secrets registry box scheduler accounts)' \
    ':METHOD (HTTP method, such as GET, LIST or POST):(GET LIST POST PUT PATCH DELETE RECOVER SCAN)' \
    ':PATH (path and query of the request):__lanyard_text' \
    '*:K=V|K=@FILE|K=- (fields of the request body; the values are strings):__lanyard_text'
}

_lanyard_schema() {
  __lanyard_leaf \
    '--all[print one schema with the schemas of all commands in $defs]' \
    "$out[@]" "$result[@]" "$every[@]" \
    '*:COMMAND (words of the command (default\: list all)):__lanyard_live'
}

_lanyard_completion() {
  __lanyard_leaf \
    "$every[@]" \
    ':SHELL (shell\: bash, zsh, fish or powershell):(bash zsh fish powershell)'
}

# Sets $subcommands to the commands below the one that the function $1 completes.
__lanyard_subcommands() {
  case $1 in
    _lanyard)
      subcommands=(
        'quickstart:Take a tour: sign an SSH key on embedded services'
        'dev:Run the five embedded services on this machine'
        'run:Run a command with secrets and variables as environment'
        'render:Write files from templates with secrets, keys and services'
        'ci:Export secrets to jobs of CI services'
        'plan:Compare the files of a set with the services'
        'diff:Compare the files of a set (alias of plan)'
        'apply:Apply the files of a set to the services'
        'export:Write the state of the services as files'
        'import:Write the document of one object'
        'validate:Check the files of a set offline'
        'login:Log in to the services of a profile again'
        'logout:Revoke and remove the stored tokens of a profile'
        'status:Show service health, product versions and tokens'
        'ssh:Sign SSH keys and manage certificate authorities'
        'kv:Manage key-value secrets and their versions'
        'secrets:Manage paths, logins and the seal of the secrets service'
        'acl:Manage access control of the service registry'
        'query:Manage and execute prepared queries'
        'txn:Check and apply transactions of the service registry'
        'registry:Manage services, keys, locks and config entries'
        'chain:Show discovery chains of the service mesh'
        'discovery-chain:Show discovery chains (alias of chain)'
        'box:Manage boxes, their versions and images'
        'scheduler:Manage access control of the scheduler'
        'namespace:Manage scheduler namespaces'
        'var:Manage scheduler variables'
        'wait:Wait for services, keys, variables and secrets'
        'account:Manage accounts, passwords and logins'
        'profile:Manage profiles: addresses, TLS and token sources'
        'alias:Manage aliases: short names for command lines'
        'plugin:List plugins: programs in PATH named lanyard-NAME'
        'api:Send any request to a service'
        'schema:Print the JSON Schema of the result of a command'
        'completion:Print a shell completion script'
        'help:help for a command or a topic'
      )
      ;;
    _lanyard_dev)
      subcommands=(
        'run:Run a command against new embedded services'
      )
      ;;
    _lanyard_ci)
      subcommands=(
        'export:Set secrets as outputs and variables of a CI job'
      )
      ;;
    _lanyard_ssh)
      subcommands=(
        'sign:Sign a public key for a user or a host'
        'issue:Generate and sign a key pair'
        'creds:Generate a one-time password for a host'
        'lookup:List the roles that match an IP address'
        'verify:Verify and consume a one-time password'
        'connect:Log in with a short-lived certificate or one-time password'
        'doctor:Explain why a login is rejected'
        'config:Configure ssh, scp and rsync to use signed certificates'
        'proxy:Renew a certificate and connect to a port'
        'trust:Print or install the files that trust the CA'
        'host:Manage the certificates of this host'
        'revoke:Revoke certificates and keys'
        'revoked:Show and check revoked certificates and keys'
        'explain:Explain whether a role would sign a request'
        'history:List the certificates that were signed'
        'list:List certificates in the ssh-agent and in files'
        'renew:Renew certificates that are due for renewal'
        'inspect:Inspect a certificate or key'
        'ca:Manage the CA key pair'
        'issuer:Manage the issuers of a mount (OpenBao)'
        'record:Manage the record of signed certificates'
        'role:Manage signing roles'
        'zero-address:Manage roles that issue one-time passwords for any IP'
        'tidy:Delete leftover dynamic host keys'
      )
      ;;
    _lanyard_ssh_host)
      subcommands=(
        'enroll:Sign the host keys and configure sshd'
        'renew:Renew what is due on this host'
        'status:Check certificates, sshd and the timer'
        'remove:Remove what enroll wrote'
      )
      ;;
    _lanyard_ssh_revoked)
      subcommands=(
        'list:List revoked certificates and keys'
        'check:Check if certificates or keys are revoked'
        'remove:Remove entries from the revocation list'
      )
      ;;
    _lanyard_ssh_ca)
      subcommands=(
        'create:Generate or import the CA key pair'
        'get:Show the CA public key'
        'public-key:Show the CA public key without a token'
        'delete:Delete the CA key pair'
        'recover:Restore the CA key pair from a snapshot'
        'rotate:Manage the replacement of the CA by a new one'
      )
      ;;
    _lanyard_ssh_ca_rotate)
      subcommands=(
        'start:Create the new CA of a rotation'
        'trust:Print what hosts and clients need to trust both CAs'
        'switch:Sign with the new CA'
        'retire:Delete the old CA when its certificates have expired'
        'rollback:Sign with the old CA again'
        'status:Show the phase of a rotation and what is next'
      )
      ;;
    _lanyard_ssh_issuer)
      subcommands=(
        'list:List the issuers of a mount'
        'get:Show an issuer and its public key'
        'import:Import or generate an issuer'
        'use:Set the default issuer'
        'delete:Delete an issuer'
      )
      ;;
    _lanyard_ssh_record)
      subcommands=(
        'prune:Delete old entries of the record of signed certificates'
      )
      ;;
    _lanyard_ssh_role)
      subcommands=(
        'list:List SSH roles'
        'get:Show an SSH role'
        'put:Create or update an SSH role'
        'copy:Create a copy of a role'
        'edit:Edit a role in an editor'
        'delete:Delete an SSH role'
      )
      ;;
    _lanyard_ssh_zero-address)
      subcommands=(
        'get:List zero-address roles'
        'put:Set the zero-address roles'
        'delete:Remove all zero-address roles'
      )
      ;;
    _lanyard_kv)
      subcommands=(
        'get:Read a secret'
        'put:Write a secret'
        'patch:Update keys of a secret'
        'edit:Edit a secret in an editor'
        'list:List secrets under a path'
        'copy:Copy secrets to another path'
        'move:Move secrets'
        'search:Search paths, keys and values of secrets'
        'diff:Compare secrets or versions of a secret'
        'export:Write secrets to an encrypted file'
        'import:Restore secrets from an exported file'
        'delete:Delete a secret or some of its versions'
        'undelete:Restore deleted versions of a secret'
        'rollback:Write an earlier version as the current one'
        'destroy:Destroy versions of a secret permanently'
        'metadata:Manage the metadata of a secret'
        'config:Manage the configuration of a key-value mount'
      )
      ;;
    _lanyard_kv_metadata)
      subcommands=(
        'get:Show the metadata and versions of a secret'
        'put:Update the metadata of a secret'
        'patch:Update some metadata of a secret'
        'delete:Delete a secret and all of its versions'
      )
      ;;
    _lanyard_kv_config)
      subcommands=(
        'get:Show the configuration of a key-value mount'
        'put:Update the configuration of a key-value mount'
      )
      ;;
    _lanyard_secrets)
      subcommands=(
        'read:Read a path'
        'write:Write to a path'
        'patch:Change fields of a path'
        'list:List a path'
        'delete:Delete a path'
        'creds:Generate credentials of an engine'
        'help:Show the help of the service for a path'
        'mount:Manage secrets engines'
        'auth:Manage auth methods'
        'policy:Manage policies of the secrets service'
        'token:Manage tokens of the secrets service'
        'lease:Manage leases of credentials'
        'unwrap:Show a wrapped response, once'
        'snapshot:Manage snapshots of raft storage'
        'namespace:Manage namespaces of the secrets service'
        'status:Show the health and seal status'
        'login:Log in and store the token'
        'logout:Revoke and remove the stored token'
        'init:Initialize the service and show its unseal keys'
        'unseal:Unseal the service with an unseal key'
        'seal:Seal the service'
      )
      ;;
    _lanyard_secrets_mount)
      subcommands=(
        'list:List secrets engines'
        'get:Show a secrets engine'
        'enable:Enable a secrets engine'
        'tune:Change settings of a secrets engine'
        'move:Move a secrets engine to another path'
        'disable:Disable a secrets engine and delete its data'
      )
      ;;
    _lanyard_secrets_auth)
      subcommands=(
        'list:List auth methods'
        'get:Show an auth method'
        'enable:Enable an auth method'
        'tune:Change settings of an auth method'
        'move:Move an auth method to another path'
        'disable:Disable an auth method'
        'role:Manage roles and users of auth methods'
      )
      ;;
    _lanyard_secrets_auth_role)
      subcommands=(
        'list:List the roles of an auth method'
        'get:Show a role or user'
        'put:Create or update a role or user'
        'delete:Delete a role or user'
        'id:Show the role ID of an approle role'
        'secret-id:Manage secret IDs of approle roles'
      )
      ;;
    _lanyard_secrets_auth_role_secret-id)
      subcommands=(
        'create:Create a secret ID, wrapped'
        'list:List the secret IDs of a role'
        'destroy:Delete a secret ID'
      )
      ;;
    _lanyard_secrets_policy)
      subcommands=(
        'list:List policies'
        'check:Check a policy without sending it'
        'put:Create or replace a policy'
        'get:Show a policy'
        'delete:Delete a policy'
      )
      ;;
    _lanyard_secrets_token)
      subcommands=(
        'create:Create a token'
        'list:List tokens by their accessors'
        'self:Show the token that is used'
        'lookup:Show a token'
        'renew:Extend the lifetime of a token'
        'keep-alive:Run a command and keep the token renewed'
        'capabilities:Show what a token may do with paths'
        'revoke:Revoke a token'
      )
      ;;
    _lanyard_secrets_lease)
      subcommands=(
        'list:List leases below a prefix'
        'lookup:Show a lease'
        'renew:Extend a lease'
        'revoke:Revoke leases'
      )
      ;;
    _lanyard_secrets_snapshot)
      subcommands=(
        'save:Download all data of the cluster to a file'
        'restore:Restore all data of the cluster from a snapshot'
        'inspect:Verify and show a snapshot file'
      )
      ;;
    _lanyard_secrets_namespace)
      subcommands=(
        'list:List namespaces'
        'get:Show a namespace'
        'create:Create a namespace'
        'update:Update the metadata of a namespace'
        'delete:Delete a namespace'
      )
      ;;
    _lanyard_acl)
      subcommands=(
        'bootstrap:Create the initial management token'
        'login:Log in with a bearer token and store the result'
        'logout:Delete and remove the token of a login'
        'explain:Show what a token may do'
        'can:Check whether a token may do something'
        'policy:Manage policies'
        'token:Manage tokens'
        'role:Manage roles'
        'auth-method:Manage auth methods'
        'binding-rule:Manage binding rules: permissions of logins'
        'templated-policy:Show templated policies'
        'oidc:Run the steps of an OIDC login from a script'
        'replication:Show the ACL replication status of a datacenter'
        'translate-rules:Translate legacy ACL rules to the current syntax'
      )
      ;;
    _lanyard_acl_policy)
      subcommands=(
        'list:List policies'
        'get:Show a policy and its rules'
        'put:Create or update a policy'
        'delete:Delete a policy'
      )
      ;;
    _lanyard_acl_token)
      subcommands=(
        'list:List tokens'
        'get:Show a token'
        'self:Show the token that is used'
        'create:Create a token and print its secret'
        'update:Update a token'
        'clone:Create a copy of a token'
        'delete:Delete a token'
      )
      ;;
    _lanyard_acl_role)
      subcommands=(
        'list:List roles'
        'get:Show a role'
        'put:Create or update a role'
        'delete:Delete a role'
      )
      ;;
    _lanyard_acl_auth-method)
      subcommands=(
        'list:List auth methods'
        'get:Show an auth method'
        'put:Create or update an auth method'
        'delete:Delete an auth method'
      )
      ;;
    _lanyard_acl_binding-rule)
      subcommands=(
        'list:List binding rules'
        'get:Show a binding rule'
        'create:Create a binding rule'
        'update:Update a binding rule'
        'delete:Delete a binding rule'
        'test:Check which binding rules match claims'
      )
      ;;
    _lanyard_acl_templated-policy)
      subcommands=(
        'list:List templated policies'
        'get:Show a templated policy'
        'preview:Show the rules of a templated policy for a name'
      )
      ;;
    _lanyard_acl_oidc)
      subcommands=(
        'auth-url:Get the URL for an OIDC login'
        'callback:Complete an OIDC login'
      )
      ;;
    _lanyard_query)
      subcommands=(
        'list:List prepared queries'
        'get:Show a prepared query'
        'create:Create a prepared query'
        'update:Update a prepared query'
        'put:Create or update prepared queries'
        'delete:Delete a prepared query'
        'edit:Edit a prepared query in an editor'
        'exec:Execute a prepared query and list its instances'
        'explain:Show how a query template renders for a name'
      )
      ;;
    _lanyard_txn)
      subcommands=(
        'apply:Apply operations in one transaction'
        'check:Check a transaction without sending it'
      )
      ;;
    _lanyard_registry)
      subcommands=(
        'service:Manage services and their instances'
        'node:Show nodes, their services and checks'
        'kv:Manage keys of the service registry'
        'config:Manage config entries, the input of discovery chains'
        'session:Manage sessions, which hold locks of keys'
        'member:Show the members of the cluster'
        'datacenter:Show the datacenters of the registry'
        'maintenance:Take a node or service out of health queries'
        'snapshot:Manage snapshots of a datacenter'
        'lock:Run a command while a key is locked'
      )
      ;;
    _lanyard_registry_service)
      subcommands=(
        'list:List services'
        'get:Show the instances of a service'
        'register:Register a service at the agent'
        'deregister:Deregister a service of the agent'
      )
      ;;
    _lanyard_registry_node)
      subcommands=(
        'list:List nodes'
        'get:Show a node'
      )
      ;;
    _lanyard_registry_kv)
      subcommands=(
        'get:Print the value of a key'
        'list:List keys'
        'put:Write a key'
        'delete:Delete a key or all keys with a prefix'
        'export:Write keys and values as JSON'
        'import:Write keys from a JSON file'
      )
      ;;
    _lanyard_registry_config)
      subcommands=(
        'list:List config entries'
        'get:Show a config entry'
        'put:Write config entries from a file'
        'delete:Delete a config entry'
      )
      ;;
    _lanyard_registry_session)
      subcommands=(
        'list:List sessions'
        'get:Show a session'
        'create:Create a session'
        'delete:Delete a session and release its locks'
      )
      ;;
    _lanyard_registry_member)
      subcommands=(
        'list:List the members of the cluster'
      )
      ;;
    _lanyard_registry_datacenter)
      subcommands=(
        'list:List datacenters'
      )
      ;;
    _lanyard_registry_maintenance)
      subcommands=(
        'get:Show what is in maintenance at the agent'
        'enable:Enable maintenance of the node or a service'
        'disable:Disable maintenance of the node or a service'
      )
      ;;
    _lanyard_registry_snapshot)
      subcommands=(
        'save:Save a snapshot of a datacenter'
        'restore:Restore a snapshot of a datacenter'
        'inspect:Verify a snapshot file and show its contents'
      )
      ;;
    _lanyard_chain)
      subcommands=(
        'get:Show the compiled discovery chain of a service'
      )
      ;;
    _lanyard_discovery-chain)
      subcommands=(
        'get:Show a discovery chain (alias of chain get)'
      )
      ;;
    _lanyard_box)
      subcommands=(
        'list:List the boxes of a user or organization'
        'search:Search for boxes'
        'get:Show a box and its versions'
        'create:Create a box'
        'update:Update a box'
        'delete:Delete a box and all of its versions'
        'version:Manage versions of a box'
        'upload:Upload the image of a provider'
        'publish:Create, upload and release a version in one step'
        'download:Download and verify an image'
        'release:Release a version'
        'revoke:Revoke a released version'
        'provider:Manage providers of a version'
        'token:Manage the access token of the box registry'
        'request-code:Request a two-factor authentication code'
        'org:Create and show organizations that own boxes'
      )
      ;;
    _lanyard_box_version)
      subcommands=(
        'get:Show a version and its providers'
        'create:Create a version of a box'
        'update:Update a version of a box'
        'delete:Delete a version and its images'
      )
      ;;
    _lanyard_box_provider)
      subcommands=(
        'get:Show a provider with its image and checksum'
        'create:Create a provider of a version'
        'update:Update a provider of a version'
        'delete:Delete a provider and its image'
      )
      ;;
    _lanyard_box_token)
      subcommands=(
        'create:Log in and store the token'
        'check:Check whether the token is valid'
        'delete:Delete and remove the stored token'
      )
      ;;
    _lanyard_box_org)
      subcommands=(
        'get:Show a user or organization and its boxes'
        'create:Create an organization'
      )
      ;;
    _lanyard_scheduler)
      subcommands=(
        'acl:Manage policies, tokens and roles of the scheduler'
      )
      ;;
    _lanyard_scheduler_acl)
      subcommands=(
        'bootstrap:Create the initial management token'
        'policy:Manage policies'
        'token:Manage tokens'
        'role:Manage roles'
      )
      ;;
    _lanyard_scheduler_acl_policy)
      subcommands=(
        'list:List policies'
        'get:Show a policy and its rules'
        'put:Create or update a policy'
        'check:Check rules offline'
        'delete:Delete a policy'
      )
      ;;
    _lanyard_scheduler_acl_token)
      subcommands=(
        'list:List tokens'
        'get:Show a token'
        'self:Show the token that is used'
        'create:Create a token and print its secret'
        'update:Update a token'
        'delete:Delete a token'
      )
      ;;
    _lanyard_scheduler_acl_role)
      subcommands=(
        'list:List roles'
        'get:Show a role'
        'put:Create or update a role'
        'delete:Delete a role'
      )
      ;;
    _lanyard_namespace)
      subcommands=(
        'list:List namespaces'
        'get:Show a namespace'
        'put:Create or update a namespace'
        'delete:Delete an empty namespace'
      )
      ;;
    _lanyard_var)
      subcommands=(
        'list:List variables'
        'get:Read a variable'
        'put:Write a variable'
        'edit:Edit a variable in an editor'
        'diff:Compare variables with files or another namespace'
        'export:Export variables to files'
        'import:Import variables from files'
        'lock:Run a command while a variable is locked'
        'delete:Delete a variable'
      )
      ;;
    _lanyard_wait)
      subcommands=(
        'service:Wait for instances of a service'
        'key:Wait for a key of the service registry'
        'var:Wait for a variable of the scheduler'
        'kv:Wait for a key-value secret'
        'status:Wait until a service is available'
        'secrets:Wait for the secrets service'
      )
      ;;
    _lanyard_account)
      subcommands=(
        'list:List the accounts of an auth method'
        'get:Show an account'
        'create:Create an account'
        'update:Update an account'
        'delete:Delete an account'
        'change-password:Change a password with the current one'
        'set-password:Set or remove the password of an account'
        'auth-method:Manage auth methods'
        'user:Manage users, who log in with accounts'
        'role:Manage roles, which grant permissions to users'
        'scope:Manage scopes: organizations and projects'
        'login:Log in and store the token'
        'logout:Delete and remove the token of a login'
        'token:Manage the tokens of logins'
      )
      ;;
    _lanyard_account_auth-method)
      subcommands=(
        'list:List auth methods'
        'create:Create an auth method'
        'get:Show an auth method'
        'update:Update an auth method'
        'delete:Delete an auth method'
      )
      ;;
    _lanyard_account_user)
      subcommands=(
        'list:List users'
        'get:Show a user'
        'create:Create a user'
        'update:Update a user'
        'delete:Delete a user'
        'add-accounts:Add accounts to a user'
        'remove-accounts:Remove accounts from a user'
      )
      ;;
    _lanyard_account_role)
      subcommands=(
        'list:List roles'
        'get:Show a role with its grants and principals'
        'create:Create a role'
        'update:Update a role'
        'delete:Delete a role'
        'add-grants:Add grants to a role'
        'remove-grants:Remove grants from a role'
        'add-principals:Add users and groups to a role'
        'remove-principals:Take a role from users and groups'
      )
      ;;
    _lanyard_account_scope)
      subcommands=(
        'list:List scopes'
        'get:Show a scope'
        'create:Create an organization or a project'
        'update:Update a scope'
        'delete:Delete a scope with everything in it'
      )
      ;;
    _lanyard_account_token)
      subcommands=(
        'list:List tokens of the current user'
        'get:Show a token'
        'delete:Delete a token (log out)'
      )
      ;;
    _lanyard_profile)
      subcommands=(
        'list:List profiles'
        'get:Show a profile'
        'put:Create or update a profile'
        'import:Create a profile from the environment and token files'
        'use:Set the active profile'
        'delete:Delete a profile and its stored tokens'
      )
      ;;
    _lanyard_alias)
      subcommands=(
        'list:List aliases'
        'get:Print the expansion of an alias'
        'set:Create or replace an alias'
        'delete:Delete an alias'
      )
      ;;
    _lanyard_plugin)
      subcommands=(
        'list:List plugins in PATH'
      )
      ;;
    *) subcommands=() ;;
  esac
}

# "help" is followed by the words of any command, or by a topic; with --man by those that have a man page.
_lanyard_help() {
  local name=_lanyard word manual
  local -a subcommands
  for word in "${(@)words[2,CURRENT-1]}"; do
    if [[ $word == --man ]]; then manual=1; else name+=_$word; fi
  done
  if [[ $PREFIX == -* ]]; then
    subcommands=('--man:show the man page')
    _describe -o option subcommands
    return
  fi
  __lanyard_subcommands $name
  if [[ $name == _lanyard && -n $manual ]]; then
    subcommands=(${subcommands:#help:*} 'config:Configuration files, profiles and settings')
  elif [[ $name == _lanyard ]]; then
    subcommands=(
      ${subcommands:#help:*}
      'guides:Guides: first steps, SSH, tests, moving from other tools'
      'flags:Flags that commands share'
      'exit-codes:Exit codes and their meaning'
      'environment:Environment variables and precedence of settings'
      'formats:Output formats, --field and --select'
      'watching:Watching for changes, and waiting for conditions'
      'vault:Equivalents of vault and bao commands'
      'consul:Equivalents of consul commands'
      'nomad:Equivalents of nomad commands'
      'boundary:Equivalents of boundary commands'
      'vagrant:Equivalents of vagrant commands'
      'getting-started:Getting started'
      'real-clusters:Use Lanyard with real clusters'
      'ssh-for-teams:SSH certificates for a team'
      'ssh-hosts:Enroll a host'
      'ssh-certificates:SSH certificates: renewal, agent, batches'
      'ssh-revoke:Revoke certificates and keys'
      'ssh-history:What was signed'
      'ssh-rotate:Rotate an SSH CA'
      'ssh-rejected:My SSH login is rejected'
      'one-time-passwords:Log in with one-time passwords'
      'copy-secrets:Copy, search and back up secrets'
      'running-programs:Running programs'
      'team-state:A team'\''s systems in files'
      'environments:Environments and several sets'
      'templates:Files from templates'
      'aliases-and-plugins:Aliases and plugins'
      'state-files:State in files'
      'drift:Changes outside of files'
      'ci-jobs:Secrets in CI jobs'
      'ci-github:Secrets in GitHub Actions'
      'ci-gitlab:Secrets in GitLab CI/CD'
      'embedded-services:Embedded services for tests'
      'new-openbao:Set up a new OpenBao or Vault'
      'new-consul:Set up a new Consul'
      'new-nomad:Set up a new Nomad'
      'new-boundary:Set up a new Boundary'
      'from-vault:Moving from vault and bao'
      'from-consul:Moving from consul'
      'from-nomad:Moving from nomad'
      'from-boundary:Moving from boundary'
      'from-vagrant:Moving from vagrant cloud'
    )
  fi
  _describe -t commands command subcommands
}

# Completes what the function $1 is for: the flags given, then a command, then what that command takes.
__lanyard_group() {
  # The name "commands" is taken: it is zsh's own table of programs.
  local name=$1 curcontext=$curcontext context state state_descr ret=1
  local -a line subcommands
  local -A opt_args
  shift
  _arguments -C -s "$@" '(-): :->command' '(-)*:: :->rest' && ret=0
  case $state in
    command)
      __lanyard_subcommands $name
      _describe -t commands command subcommands && ret=0
      [[ $name == _lanyard ]] && __lanyard_listed && ret=0
      ;;
    rest)
      name+=_$line[1]
      if (( $+functions[$name] )); then
        $name && ret=0
      elif [[ $name == _lanyard_$line[1] ]]; then
        # An alias or a plugin: of what follows, only the program itself knows what it is.
        own=1
        __lanyard_listed && ret=0
      fi
      ;;
  esac
  return ret
}

# Completes the flags and operands given; after "--", files.
__lanyard_leaf() {
  if (( words[(i)--] < CURRENT )); then
    _files
  else
    _arguments -s -S "$@"
  fi
}

__lanyard_files() {
  compset -P '(@|file://)'
  _files
}

# Programs; where flags may stand, zsh's own completer offers its modifier "-" as well.
__lanyard_programs() {
  [[ $PREFIX = -* ]] || _command_names -e
}

# Says what an operand of free text is, but not where a flag is typed: a message would keep zsh from completing it.
__lanyard_text() {
  [[ $PREFIX == -* ]] || compadd "${@/#%-X/-x}"
}

__lanyard_profiles() {
  local expl
  local -a profiles=(${${(f)"$(lanyard profile list 2>/dev/null </dev/null)"}%%$'\t'*})
  _wanted profiles expl profile compadd -a profiles
}

# Values that a service lists, or what a value is.
__lanyard_live() {
  __lanyard_listed "$@" || __lanyard_text "$@"
}

# Values that the program lists; a name that continues has no space after it.
__lanyard_listed() {
  local line
  local -a names shown partial_names partial_shown
  if [[ $LANYARD_COMPLETION != static ]]; then
    for line in "${(@f)$(lanyard __complete zsh "=$live_current" -- "${live_words[@]}" 2>/dev/null </dev/null)}"; do
      [[ -n $line ]] || continue
      if [[ -n $own && $line == :file ]]; then
        _files
        return
      fi
      if [[ ${line%%$'\t'*} == *[/=] ]]; then
        partial_names+=("${line%%$'\t'*}")
        partial_shown+=("${line/$'\t'/  -- }")
      else
        names+=("${line%%$'\t'*}")
        shown+=("${line/$'\t'/  -- }")
      fi
    done
  fi
  (( $#names + $#partial_names )) || return 1
  (( $#names == 0 )) || compadd "$@" -l -d shown -a names
  (( $#partial_names == 0 )) || compadd "$@" -S '' -l -d partial_shown -a partial_names
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _lanyard "$@"
elif (( $+functions[compdef] )); then
  compdef _lanyard lanyard
else
  print -u2 'lanyard: completion needs compinit; add "autoload -Uz compinit && compinit" before it'
fi
