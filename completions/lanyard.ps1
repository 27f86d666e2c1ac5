# Completion of lanyard for PowerShell. Written by "npm run generate"; do not edit.
#
# Add to $PROFILE: lanyard completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName 'lanyard' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # Flags that several commands share.
    $service = @(
        '--address= address of the service (default: from the settings)'
        '--curl print the equivalent curl command and send nothing'
        '--skip-verify skip verification of the TLS certificate; prints a warning'
    )
    $namespace = @('-n,--namespace=:live namespace, for services that have namespaces')
    $writes = @('--dry-run print the request without sending any change')
    $out = @('--out=:file write the result to a new file (mode 0600) instead of standard output (-)')
    $result = @(
        '--env-prefix= prefix for variable names with --output env, dotenv and github-env'
        '--field=:live print one field of the result as a raw value (data.key, items.0.name)'
        '--select= print the part of the result that a JMESPath expression selects'
    )
    $every = @(
        '-p,--profile=:profile profile to use instead of the active one'
        '-o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env'
        '--timeout= request timeout per attempt (default 30s)'
        '-y,--yes skip confirmation prompts'
        '--no-input disable prompts; fail if input is required'
        '-q,--quiet suppress notes, progress and messages of success'
        '-v,--verbose log requests and responses to standard error, without secrets'
        '--debug=:file append a trace of requests and responses to a file, without secrets'
        '--no-color disable color (also NO_COLOR, TERM=dumb)'
        '-h,--help show the help of the command'
    )

    # Says what may stand after a command.
    #
    # A command is its name and summary. A flag is NAMES and its help, or NAMES=KIND when it takes a value. A
    # KIND is what completes a value: :file, :directory, :profile, :command (a command line of its own), :live
    # (listed by a service), choices (a|b|c), or nothing for free text. Operands are KINDs in order; "-" is free
    # text, and "..." says that the last one may repeat.
    function Get-Place([string] $path) {
        switch -CaseSensitive -Exact ($path) {
            '' {
                @{
                    Commands = @(
                        'quickstart Take a tour: sign an SSH key on embedded services'
                        'dev Run the five embedded services on this machine'
                        'run Run a command with secrets and variables as environment'
                        'render Write files from templates with secrets, keys and services'
                        'ci Export secrets to jobs of CI services'
                        'plan Compare the files of a set with the services'
                        'diff Compare the files of a set (alias of plan)'
                        'apply Apply the files of a set to the services'
                        'export Write the state of the services as files'
                        'import Write the document of one object'
                        'validate Check the files of a set offline'
                        'login Log in to the services of a profile again'
                        'logout Revoke and remove the stored tokens of a profile'
                        'status Show service health, product versions and tokens'
                        'ssh Sign SSH keys and manage certificate authorities'
                        'kv Manage key-value secrets and their versions'
                        'secrets Manage paths, logins and the seal of the secrets service'
                        'acl Manage access control of the service registry'
                        'query Manage and execute prepared queries'
                        'txn Check and apply transactions of the service registry'
                        'registry Manage services, keys, locks and config entries'
                        'chain Show discovery chains of the service mesh'
                        'discovery-chain Show discovery chains (alias of chain)'
                        'box Manage boxes, their versions and images'
                        'scheduler Manage access control of the scheduler'
                        'namespace Manage scheduler namespaces'
                        'var Manage scheduler variables'
                        'wait Wait for services, keys, variables and secrets'
                        'account Manage accounts, passwords and logins'
                        'profile Manage profiles: addresses, TLS and token sources'
                        'alias Manage aliases: short names for command lines'
                        'plugin List plugins: programs in PATH named lanyard-NAME'
                        'api Send any request to a service'
                        'schema Print the JSON Schema of the result of a command'
                        'completion Print a shell completion script'
                        'help help for a command or a topic'
                    )
                    Flags = @('-V,--version print the version') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'quickstart' {
                @{
                    Flags = $every
                }
            }
            'dev' {
                @{
                    Commands = @('run Run a command against new embedded services')
                    Flags = @(
                        '--data=:directory store state in this directory, which must be new, empty or created by --data'
                        '--port= free ports for all services (0), or the port of one; repeatable'
                        '--uninitialized secrets: start new data without keys and tokens, for "secrets init"'
                        '--audit-log=:file secrets: audit log, to which requests and responses are appended'
                        '--audit-option= option of the audit log: log_raw, hmac_accessor, elide_list_responses, mode or prefix; repeatable'
                        '--datacenters= registry: datacenters, the primary first (default dc1)'
                        '--round-trip= registry: round-trip time between two datacenters (default 10ms per step in the given order)'
                        '--standby= secrets: start a standby whose reads are this far behind'
                        '--after-start= respond to every request with this status for some time after the start; repeatable'
                        '--password=:file source of the password of the initial users: -, @FILE or env://NAME (default: generated, shown once)'
                        '--two-factor box: require a two-factor code, which is printed here'
                        '--rate-limit= limit requests as the product does; accounts=boundary: defaults of Boundary; repeatable (default unlimited)'
                        '--openapi=secrets|registry|box|scheduler|accounts print the OpenAPI document of a service and exit'
                    ) + $out + $result + $every
                }
            }
            'dev run' {
                @{
                    Operands = @(':command...')
                    Flags = @(
                        '--datacenters= registry: datacenters, the primary first (default dc1)'
                        '--round-trip= registry: round-trip time between two datacenters (default 10ms per step in the given order)'
                        '--rate-limit= limit requests as the product does; accounts=boundary: defaults of Boundary; repeatable (default unlimited)'
                    ) + $every
                }
            }
            'run' {
                @{
                    Operands = @(':command...')
                    Flags = @(
                        '--var=:live scheduler variable to read; repeatable'
                        '--kv=:live key-value secret to read, such as secret/app/db; repeatable'
                        '--key=:live registry key, or all keys below a prefix; repeatable'
                        '--creds=:live MOUNT/ROLE [K=V]... [| PREFIX]: credentials to generate; repeatable'
                        '--template=:file file to render before the command starts; repeatable'
                        '--prefix= prefix for all names'
                        '--upper convert names to upper case'
                        '--allow-name= allow a name that affects other programs, such as DOCKER_HOST; repeatable'
                        '--watch=restart|exit|none on changed values: restart, signal:SIG, exit or none (default none)'
                        '--files write values to files in memory, in the directory $LANYARD_FILES (Linux)'
                        '--debounce= wait until values are unchanged for MIN, at most MAX (default 2s:10s)'
                        '--splay= random delay of up to this before an action (default 0s)'
                        '--interval= time between reads of a key-value secret (default 5s)'
                        '--kill-signal=HUP|INT|QUIT|TERM|USR1|USR2|WINCH|CONT|ALRM|KILL signal that stops the command (default TERM)'
                        '--kill-timeout= time between that signal and KILL (default 30s)'
                    ) + $service + $namespace + $every
                }
            }
            'render' {
                @{
                    Operands = @(':file...')
                    Flags = @(
                        '--mode= permission bits (default 0600; an existing file keeps its own)'
                        '--owner= names or numbers (default: of an existing file, else yours)'
                        '-w,--watch write the files again at each change of a value, until interrupted'
                        '--exec= run with sh if a file was written, such as "systemctl reload nginx"'
                        '--signal= send to the process of --pid-file if a file was written'
                        '--pid-file=:file file with the process ID for --signal'
                        '--debounce= with --watch: wait until values are unchanged for MIN, at most MAX (default 2s:10s)'
                        '--interval= with --watch: time between reads of a secret (default 5s)'
                    ) + $writes + $out + $result + $every
                }
            }
            'ci' {
                @{
                    Commands = @('export Set secrets as outputs and variables of a CI job')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ci export' {
                @{
                    Flags = @(
                        '--kv=:live key-value secret, such as secret/app/db; repeatable'
                        '--var=:live scheduler variable; repeatable'
                        '--key=:live registry key, or prefix ending with /; repeatable'
                        '--read=:live path of the secrets service, such as database/creds/app; repeatable'
                        '--env GitHub: also set environment variables of later steps'
                        '--allow-name= allow a name that affects other programs, such as DOCKER_HOST; repeatable'
                        '--file=:file GitLab: new file (mode 0600) outside of the project directory'
                        '--force GitLab: replace an existing file'
                        '--ignore-not-found leave out secrets and keys that do not exist, with a warning'
                        '--ci=github|gitlab CI service (default: detected)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'plan' {
                @{
                    Operands = @(':file...')
                    Flags = @(
                        '--out=:file save the plan for "apply FILE" (mode 0600, without values of secrets)'
                        '--force overwrite FILE'
                        '--service=secrets|registry|box|scheduler|accounts only objects of this service; repeatable'
                        '--kind=secrets.mount|secrets.auth-method|secrets.auth-config|secrets.auth-role|secrets.token-role|secrets.policy|secrets.ssh-ca|secrets.ssh-issuer|secrets.ssh-role|secrets.ssh-zero-address|secrets.kv|secrets.kv-metadata|secrets.kv-config|registry.policy|registry.role|registry.token|registry.auth-method|registry.binding-rule|registry.config-entry|registry.query|registry.key|scheduler.namespace|scheduler.policy|scheduler.role|scheduler.token|scheduler.variable|box.box|box.version|box.provider|box.release|accounts.scope|accounts.auth-method|accounts.account|accounts.user|accounts.role only objects of this kind, such as registry.policy; repeatable'
                        '--name= only objects with this name, as shown by "plan"; repeatable'
                        '--adopt make objects that exist members of the set, also those that differ'
                        '--take-over take objects over from another set'
                        '--prune delete members of the set that the files no longer contain'
                        '--prune-max= maximum number of objects to delete (default: from the set, or 10)'
                        '--prune-all allow that all members are deleted'
                        '--allow-unknown exit with 10 if objects cannot be read: they may differ'
                        '--allow-unknown-fields accept fields that no schema has, of newer services'
                        '--allow-outside allow files and links out of the directory of the set'
                        '--identity=:file secret key for an encrypted FILE (AGE-SECRET-KEY-...): -, @FILE or env://NAME'
                        '--passphrase=:file passphrase of an encrypted FILE: -, @FILE or env://NAME (default: prompt)'
                        '--unmanaged also show objects and names in the services that no file states'
                        '--ignore= with --unmanaged: leave out objects, as KIND or "KIND NAME" with * and **; repeatable'
                        '--show-secrets show values of secrets, on a terminal'
                        '--exit-zero exit with 0 also with differences'
                        '-p,--profile=:profile profile to use instead of the active one'
                        '-o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env|markdown output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env, markdown'
                        '--timeout= request timeout per attempt (default 30s)'
                        '-y,--yes skip confirmation prompts'
                        '--no-input disable prompts; fail if input is required'
                        '-q,--quiet suppress notes, progress and messages of success'
                        '-v,--verbose log requests and responses to standard error, without secrets'
                        '--debug=:file append a trace of requests and responses to a file, without secrets'
                        '--no-color disable color (also NO_COLOR, TERM=dumb)'
                        '-h,--help show the help of the command'
                    ) + $namespace + $result
                }
            }
            'diff' {
                @{
                    Operands = @(':file...')
                    Flags = @(
                        '--out=:file save the plan for "apply FILE" (mode 0600, without values of secrets)'
                        '--force overwrite FILE'
                        '--service=secrets|registry|box|scheduler|accounts only objects of this service; repeatable'
                        '--kind=secrets.mount|secrets.auth-method|secrets.auth-config|secrets.auth-role|secrets.token-role|secrets.policy|secrets.ssh-ca|secrets.ssh-issuer|secrets.ssh-role|secrets.ssh-zero-address|secrets.kv|secrets.kv-metadata|secrets.kv-config|registry.policy|registry.role|registry.token|registry.auth-method|registry.binding-rule|registry.config-entry|registry.query|registry.key|scheduler.namespace|scheduler.policy|scheduler.role|scheduler.token|scheduler.variable|box.box|box.version|box.provider|box.release|accounts.scope|accounts.auth-method|accounts.account|accounts.user|accounts.role only objects of this kind, such as registry.policy; repeatable'
                        '--name= only objects with this name, as shown by "plan"; repeatable'
                        '--adopt make objects that exist members of the set, also those that differ'
                        '--take-over take objects over from another set'
                        '--prune delete members of the set that the files no longer contain'
                        '--prune-max= maximum number of objects to delete (default: from the set, or 10)'
                        '--prune-all allow that all members are deleted'
                        '--allow-unknown exit with 10 if objects cannot be read: they may differ'
                        '--allow-unknown-fields accept fields that no schema has, of newer services'
                        '--allow-outside allow files and links out of the directory of the set'
                        '--identity=:file secret key for an encrypted FILE (AGE-SECRET-KEY-...): -, @FILE or env://NAME'
                        '--passphrase=:file passphrase of an encrypted FILE: -, @FILE or env://NAME (default: prompt)'
                        '--unmanaged also show objects and names in the services that no file states'
                        '--ignore= with --unmanaged: leave out objects, as KIND or "KIND NAME" with * and **; repeatable'
                        '--show-secrets show values of secrets, on a terminal'
                        '--exit-zero exit with 0 also with differences'
                        '-p,--profile=:profile profile to use instead of the active one'
                        '-o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env|markdown output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env, markdown'
                        '--timeout= request timeout per attempt (default 30s)'
                        '-y,--yes skip confirmation prompts'
                        '--no-input disable prompts; fail if input is required'
                        '-q,--quiet suppress notes, progress and messages of success'
                        '-v,--verbose log requests and responses to standard error, without secrets'
                        '--debug=:file append a trace of requests and responses to a file, without secrets'
                        '--no-color disable color (also NO_COLOR, TERM=dumb)'
                        '-h,--help show the help of the command'
                    ) + $namespace + $result
                }
            }
            'apply' {
                @{
                    Operands = @(':file...')
                    Flags = @(
                        '--saved accept only a saved plan, which cannot be mistaken for a directory or a document'
                        '--dry-run show the plan without sending any change'
                        '--service=secrets|registry|box|scheduler|accounts only objects of this service; repeatable'
                        '--kind=secrets.mount|secrets.auth-method|secrets.auth-config|secrets.auth-role|secrets.token-role|secrets.policy|secrets.ssh-ca|secrets.ssh-issuer|secrets.ssh-role|secrets.ssh-zero-address|secrets.kv|secrets.kv-metadata|secrets.kv-config|registry.policy|registry.role|registry.token|registry.auth-method|registry.binding-rule|registry.config-entry|registry.query|registry.key|scheduler.namespace|scheduler.policy|scheduler.role|scheduler.token|scheduler.variable|box.box|box.version|box.provider|box.release|accounts.scope|accounts.auth-method|accounts.account|accounts.user|accounts.role only objects of this kind, such as registry.policy; repeatable'
                        '--name= only objects with this name, as shown by "plan"; repeatable'
                        '--adopt make objects that exist members of the set, also those that differ'
                        '--take-over take objects over from another set'
                        '--prune delete members of the set that the files no longer contain'
                        '--prune-max= maximum number of objects to delete (default: from the set, or 10)'
                        '--prune-all allow that all members are deleted'
                        '--allow-unknown apply the rest if objects cannot be read'
                        '--allow-unknown-fields accept fields that no schema has, of newer services'
                        '--allow-outside allow files and links out of the directory of the set'
                        '--parallelism= operations at a time (default 4)'
                        '--continue continue with operations that do not depend on a failed one'
                        '--undo=:file new file to write, with the documents that undo this apply'
                        '--undo-recipient= encrypt UNDO-FILE, with previous values of secrets; repeatable'
                        '--undo-passphrase=:file encrypt UNDO-FILE with a passphrase: -, @FILE or env://NAME'
                        '--force overwrite UNDO-FILE'
                        '--identity=:file secret key for an encrypted FILE (AGE-SECRET-KEY-...): -, @FILE or env://NAME'
                        '--passphrase=:file passphrase of an encrypted FILE: -, @FILE or env://NAME (default: prompt)'
                        '--steal-lock take over the lock of an apply that did not end'
                        '--detailed-exit-code exit with 10 if something was changed'
                    ) + $namespace + $out + $result + $every
                }
            }
            'export' {
                @{
                    Operands = @(':directory')
                    Flags = @(
                        '--service=secrets|registry|box|scheduler|accounts only objects of this service; repeatable'
                        '--kind=secrets.mount|secrets.auth-method|secrets.auth-config|secrets.auth-role|secrets.token-role|secrets.policy|secrets.ssh-ca|secrets.ssh-issuer|secrets.ssh-role|secrets.ssh-zero-address|secrets.kv|secrets.kv-metadata|secrets.kv-config|registry.policy|registry.role|registry.token|registry.auth-method|registry.binding-rule|registry.config-entry|registry.query|registry.key|scheduler.namespace|scheduler.policy|scheduler.role|scheduler.token|scheduler.variable|box.box|box.version|box.provider|box.release|accounts.scope|accounts.auth-method|accounts.account|accounts.user|accounts.role only objects of this kind, such as registry.policy; repeatable'
                        '--secrets=unmanaged|env|file secrets in the files: unmanaged (default, no values), or references to variables or to DIR/.secrets.json'
                        '--values write the values of registry keys, unless their files say "sensitive: true"'
                        '--no-targets write set.yaml without targets, for a set that is applied to another cluster'
                        '--check write nothing: compare the files with what would be written, and exit with 10 if they differ'
                        '--skip-forbidden leave out objects that the tokens do not permit to list or read'
                    ) + $namespace + $out + $result + $every
                }
            }
            'import' {
                @{
                    Operands = @('secrets.mount|secrets.auth-method|secrets.auth-config|secrets.auth-role|secrets.token-role|secrets.policy|secrets.ssh-ca|secrets.ssh-issuer|secrets.ssh-role|secrets.ssh-zero-address|secrets.kv|secrets.kv-metadata|secrets.kv-config|registry.policy|registry.role|registry.token|registry.auth-method|registry.binding-rule|registry.config-entry|registry.query|registry.key|scheduler.namespace|scheduler.policy|scheduler.role|scheduler.token|scheduler.variable|box.box|box.version|box.provider|box.release|accounts.scope|accounts.auth-method|accounts.account|accounts.user|accounts.role', '-', ':file')
                    Flags = @(
                        '--secrets=unmanaged|env|file secrets in the document: unmanaged (default, no values), or references to variables or to DIR/.secrets.json'
                        '--values write the value of a registry key, unless its file says "sensitive: true"'
                        '--force replace the document of the object'
                    ) + $namespace + $out + $result + $every
                }
            }
            'validate' {
                @{
                    Operands = @(':file...')
                    Flags = @(
                        '--allow-unknown-fields accept fields that no schema has, of newer services'
                        '--init write DIR/set.yaml, with a new ID and the targets of the services that respond'
                        '--schema print the JSON Schema of all kinds, of one KIND, or of the output of plan or apply'
                    ) + $out + $result + $every
                }
            }
            'login' {
                @{
                    Operands = @('secrets|registry|box|scheduler|accounts...')
                    Flags = $writes + $out + $result + $every
                }
            }
            'logout' {
                @{
                    Operands = @('secrets|registry|box|scheduler|accounts...')
                    Flags = $writes + $out + $result + $every
                }
            }
            'status' {
                @{
                    Flags = @(
                        '--check fail unless all configured services and their tokens are usable'
                        '-w,--watch show the result again at each change, until interrupted'
                        '--interval= with --watch: poll at this interval instead of waiting for changes'
                    ) + $out + $result + $every
                }
            }
            'ssh' {
                @{
                    Commands = @(
                        'sign Sign a public key for a user or a host'
                        'issue Generate and sign a key pair'
                        'creds Generate a one-time password for a host'
                        'lookup List the roles that match an IP address'
                        'verify Verify and consume a one-time password'
                        'connect Log in with a short-lived certificate or one-time password'
                        'doctor Explain why a login is rejected'
                        'config Configure ssh, scp and rsync to use signed certificates'
                        'proxy Renew a certificate and connect to a port'
                        'trust Print or install the files that trust the CA'
                        'host Manage the certificates of this host'
                        'revoke Revoke certificates and keys'
                        'revoked Show and check revoked certificates and keys'
                        'explain Explain whether a role would sign a request'
                        'history List the certificates that were signed'
                        'list List certificates in the ssh-agent and in files'
                        'renew Renew certificates that are due for renewal'
                        'inspect Inspect a certificate or key'
                        'ca Manage the CA key pair'
                        'issuer Manage the issuers of a mount (OpenBao)'
                        'record Manage the record of signed certificates'
                        'role Manage signing roles'
                        'zero-address Manage roles that issue one-time passwords for any IP'
                        'tidy Delete leftover dynamic host keys'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh sign' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--key=:file public key file (default ~/.ssh/id_ed25519.pub, else id_ecdsa, id_rsa)'
                        '--principals,--valid-principals= principals: user names or host names'
                        '--cert-type=user|host certificate type (default user)'
                        '--ttl= validity period (default: set by the role)'
                        '--key-id= key ID, if the role allows it'
                        '--extension,--extensions= extension, replaces the extensions of the role; repeatable'
                        '--critical-option,--critical-options= critical option; repeatable'
                        '--out=:file certificate file (default: next to the key; - for standard output)'
                        '--agent add the key and certificate to the ssh-agent until it expires'
                        '--batch=:file key files, directories or JSON lines (- or FILE.jsonl); repeatable'
                        '--concurrency= with --batch: concurrent requests (default 16)'
                        '--if-needed only if the certificate is missing, differs or expires soon'
                        '--for-login for ssh_config, with --if-needed: no other settings than --profile or --address'
                        '--record= record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $writes + $result + $every
                }
            }
            'ssh issue' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--key-type=rsa|ed25519|ec key type (default rsa)'
                        '--key-bits= key size (rsa: 2048, 3072, 4096; ec: 256, 384, 521)'
                        '--principals,--valid-principals= principals: user names or host names'
                        '--cert-type=user|host certificate type (default user)'
                        '--ttl= validity period (default: set by the role)'
                        '--key-id= key ID, if the role allows it'
                        '--extension,--extensions= extension, replaces the extensions of the role; repeatable'
                        '--critical-option,--critical-options= critical option; repeatable'
                        '--out=:file private key file; the others go next to it (required)'
                        '--force overwrite existing files'
                        '--record= record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $writes + $result + $every
                }
            }
            'ssh creds' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--ip= IP address of the host (required)'
                        '--username= user to log in as (default: set by the role)'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh lookup' {
                @{
                    Operands = @('-')
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $out + $result + $every
                }
            }
            'ssh verify' {
                @{
                    Operands = @(':file')
                    Flags = @(
                        '--pam verify for pam_exec: exit code 0 accepts, 1 rejects'
                        '--ip= with --pam: additional addresses of this host (NAT)'
                        '--allowed-cidr= with --pam: blocks of additional addresses'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh connect' {
                @{
                    Operands = @('-', '-...')
                    Flags = @(
                        '--role=:live role (default: from settings)'
                        '--mode=ca|otp login method (default: key type of the role)'
                        '--host-ca=:live mount of the CA that host keys must be signed by (default: known_hosts)'
                        '--principals= principals (default: from settings, else the user)'
                        '--ttl= validity period (default 2m)'
                        '--extension= additional extension; repeatable'
                        '--key=:file sign this key instead of an in-memory key'
                        '--agent-key sign the first key of the ssh-agent instead'
                        '--revoked= revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)'
                        '--ip= address for the one-time password (default: of the host)'
                        '--record= record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $writes + $every
                }
            }
            'ssh doctor' {
                @{
                    Operands = @('-', '-...')
                    Flags = @(
                        '--role=:live log in as `ssh connect` with this role (default: as ssh)'
                        '--mode=ca|otp login method (default: key type of the role)'
                        '--host-ca=:live mount of the CA that host keys must be signed by (default: known_hosts)'
                        '--principals= principals (default: from settings, else the user)'
                        '--ttl= validity period (default 2m)'
                        '--extension= additional extension; repeatable'
                        '--key=:file private key, public key or certificate (default: keys of ssh)'
                        '--agent-key sign the first key of the ssh-agent instead'
                        '--revoked= revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)'
                        '--ip= address for the one-time password (default: of the host)'
                        '--record= record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                        '--log=:file output of ssh -v or log of sshd, instead of a login; repeatable'
                        '--sshd-config=:file on the host: check this sshd_config, instead of a login'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh config' {
                @{
                    Operands = @('-...')
                    Flags = @(
                        '--role=:live role to sign with (default: from settings)'
                        '--user= login user and principal (default: ssh and role)'
                        '--out=:file include file (default: in ~/.ssh/lanyard)'
                        '--install add the Include line to the top of ~/.ssh/config'
                        '--timeout= timeout per renewal attempt, at most 3 (default 1s)'
                        '--dry-run print the file without writing it'
                        '--record= record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                        '-p,--profile=:profile profile to use instead of the active one'
                        '-o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env'
                        '-y,--yes skip confirmation prompts'
                        '--no-input disable prompts; fail if input is required'
                        '-q,--quiet suppress notes, progress and messages of success'
                        '-v,--verbose log requests and responses to standard error, without secrets'
                        '--debug=:file append a trace of requests and responses to a file, without secrets'
                        '--no-color disable color (also NO_COLOR, TERM=dumb)'
                        '-h,--help show the help of the command'
                    ) + $service + $namespace + $result
                }
            }
            'ssh proxy' {
                @{
                    Operands = @('-', '-')
                    Flags = @(
                        '--role=:live role to sign with (default: no renewal)'
                        '--key=:file public key file (default ~/.ssh/id_ed25519.pub, else id_ecdsa, id_rsa)'
                        '--principals= principals: user names'
                        '--record= record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'ssh trust' {
                @{
                    Flags = @(
                        '--hosts= host patterns that the CA signs keys for; repeatable'
                        '--known-hosts=:file known_hosts file (default ~/.ssh/known_hosts)'
                        '--users=:file TrustedUserCAKeys file'
                        '--issuer= only these issuers, by name or ID (OpenBao); repeatable'
                        '--bundle=:file read the public keys from a file, one per line, instead of the service'
                        '--remove= remove this CA instead (SHA256:...); needs no service'
                        '--dry-run print the lines without writing them'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                        '--revoked=:file install the revocation list as RevokedKeys file'
                        '--list= revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)'
                        '--allow-older with --revoked: replace a newer list'
                        '-w,--watch show the result again at each change, until interrupted'
                        '--interval= with --watch: poll at this interval instead of waiting for changes'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'ssh host' {
                @{
                    Commands = @(
                        'enroll Sign the host keys and configure sshd'
                        'renew Renew what is due on this host'
                        'status Check certificates, sshd and the timer'
                        'remove Remove what enroll wrote'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh host enroll' {
                @{
                    Flags = @(
                        '--role=:live role that signs host keys (default: no host certificate)'
                        '--mount=:live mount path of the engine that signs host keys (default ssh)'
                        '--principals= names of the host (default: the names of this machine)'
                        '--key=:file host key to sign; repeatable (default: every host key of sshd)'
                        '--user-ca=:live mount whose user certificates are accepted; repeatable'
                        '--revoked= revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)'
                        '--method=token|approle|cert|kubernetes how renewals log in (default token: as configured)'
                        '--role-id= approle: role ID'
                        '--wrapped-secret-id=:file approle: source of the wrapping token of a secret ID: -, @FILE or env://NAME'
                        '--secret-id=:file approle: source of the secret ID: -, @FILE or env://NAME'
                        '--login-role= cert, kubernetes: role of the auth method'
                        '--login-path=:live mount path below auth/ (default: name of the method)'
                        '--token-file=:file token: file with the token, read at each renewal'
                        '--timer write systemd units although systemd does not run'
                        '--no-timer do not install a timer'
                        '--unit-dir=:file directory of the systemd units (default /etc/systemd/system)'
                        '--reload= shell command that reloads sshd (default: systemctl, or SIGHUP)'
                        '--no-reload do not reload sshd'
                        '--sshd-config=:file configuration of sshd (default /etc/ssh/sshd_config)'
                        '--sshd-config-dir=:file directory for the settings (default: first included directory)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh host renew' {
                @{
                    Flags = @('--sshd-config=:file configuration of sshd (default /etc/ssh/sshd_config)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh host status' {
                @{
                    Flags = @(
                        '--sshd-config=:file configuration of sshd (default /etc/ssh/sshd_config)'
                        '--offline check this machine only'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'ssh host remove' {
                @{
                    Flags = @('--sshd-config=:file configuration of sshd (default /etc/ssh/sshd_config)') + $writes + $out + $result + $every
                }
            }
            'ssh revoke' {
                @{
                    Operands = @(':file...')
                    Flags = @(
                        '--serial= serial number or range, decimal or 0x; repeatable'
                        '--key-id= key ID of certificates; repeatable'
                        '--fingerprint= fingerprint of a key; repeatable'
                        '--ca= CA of --serial and --key-id (default: all of the mount)'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                        '--user= valid certificates of this user, as in "lanyard ssh history"'
                        '--record= record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)'
                        '--audit-log=:file audit log of the secrets service instead; repeatable'
                        '--list= revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh revoked' {
                @{
                    Commands = @(
                        'list List revoked certificates and keys'
                        'check Check if certificates or keys are revoked'
                        'remove Remove entries from the revocation list'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh revoked list' {
                @{
                    Flags = @('--list= revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)') + $service + $namespace + $out + $result + $every
                }
            }
            'ssh revoked check' {
                @{
                    Operands = @(':file...')
                    Flags = @('--list= revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)') + $service + $namespace + $out + $result + $every
                }
            }
            'ssh revoked remove' {
                @{
                    Operands = @(':file...')
                    Flags = @(
                        '--serial= serial number or range, decimal or 0x; repeatable'
                        '--key-id= key ID of certificates; repeatable'
                        '--fingerprint= fingerprint of a key; repeatable'
                        '--ca= CA of --serial and --key-id (default: all of the mount)'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                        '--list= revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh explain' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--key=:file public key, for roles that restrict key types'
                        '--principals,--valid-principals= principals: user names or host names'
                        '--cert-type=user|host certificate type (default user)'
                        '--ttl= validity period (default: set by the role)'
                        '--key-id= key ID, if the role allows it'
                        '--extension,--extensions= extension, replaces the extensions of the role; repeatable'
                        '--critical-option,--critical-options= critical option; repeatable'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'ssh history' {
                @{
                    Flags = @(
                        '--user= requested by: display name, username or entity ID'
                        '--principal= valid for this principal'
                        '--role=:live signed with this role'
                        '--serial= serial number, decimal or 0x and hexadecimal'
                        '--key-id= with this key ID'
                        '--since= signed since: date, time (RFC 3339) or duration (7d)'
                        '--until= signed until, as --since'
                        '--valid still valid'
                        '--limit= show only the last N certificates'
                        '--record= record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)'
                        '--audit-log=:file audit log of the secrets service instead; repeatable'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'ssh list' {
                @{
                    Operands = @(':file...')
                    Flags = $out + $result + $every
                }
            }
            'ssh renew' {
                @{
                    Operands = @(':file...')
                    Flags = @('--all also certificates that are not due') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh inspect' {
                @{
                    Operands = @(':file')
                    Flags = @(
                        '--lint report problems; exit code 1 if one is an error'
                        '--revoked= show whether this revocation list has it'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'ssh ca' {
                @{
                    Commands = @(
                        'create Generate or import the CA key pair'
                        'get Show the CA public key'
                        'public-key Show the CA public key without a token'
                        'delete Delete the CA key pair'
                        'recover Restore the CA key pair from a snapshot'
                        'rotate Manage the replacement of the CA by a new one'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh ca create' {
                @{
                    Flags = @(
                        '--key-type=rsa|ec|ed25519|ssh-rsa|ecdsa-sha2-nistp256|ecdsa-sha2-nistp384|ecdsa-sha2-nistp521|ssh-ed25519 rsa (default), ec, ed25519, or an OpenSSH key type'
                        '--key-bits= key size (rsa: default 4096; ec: 256, 384, 521)'
                        '--private-key=:file private key to import'
                        '--public-key=:file public key to import'
                        '--managed-key-name= name of the managed key to use'
                        '--managed-key-id= ID of the managed key to use'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh ca get' {
                @{
                    Flags = @(
                        '--snapshot= loaded snapshot to read from'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'ssh ca public-key' {
                @{
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $out + $result + $every
                }
            }
            'ssh ca delete' {
                @{
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh ca recover' {
                @{
                    Flags = @(
                        '--snapshot= loaded snapshot (required)'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh ca rotate' {
                @{
                    Commands = @(
                        'start Create the new CA of a rotation'
                        'trust Print what hosts and clients need to trust both CAs'
                        'switch Sign with the new CA'
                        'retire Delete the old CA when its certificates have expired'
                        'rollback Sign with the old CA again'
                        'status Show the phase of a rotation and what is next'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh ca rotate start' {
                @{
                    Flags = @(
                        '--key-type=rsa|ec|ed25519|ssh-rsa|ecdsa-sha2-nistp256|ecdsa-sha2-nistp384|ecdsa-sha2-nistp521|ssh-ed25519 rsa (default), ec, ed25519, or an OpenSSH key type'
                        '--key-bits= key size (rsa: default 4096; ec: 256, 384, 521)'
                        '--private-key=:file private key to import'
                        '--public-key=:file public key to import'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh ca rotate trust' {
                @{
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $out + $result + $every
                }
            }
            'ssh ca rotate switch' {
                @{
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh ca rotate retire' {
                @{
                    Flags = @(
                        '--force do not wait: certificates of the old CA that are still valid can be rejected'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh ca rotate rollback' {
                @{
                    Flags = @(
                        '--delete delete the new CA too, and end the rotation'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh ca rotate status' {
                @{
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $out + $result + $every
                }
            }
            'ssh issuer' {
                @{
                    Commands = @(
                        'list List the issuers of a mount'
                        'get Show an issuer and its public key'
                        'import Import or generate an issuer'
                        'use Set the default issuer'
                        'delete Delete an issuer'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh issuer list' {
                @{
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $out + $result + $every
                }
            }
            'ssh issuer get' {
                @{
                    Operands = @(':live')
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $out + $result + $every
                }
            }
            'ssh issuer import' {
                @{
                    Operands = @('-')
                    Flags = @(
                        '--key-type=rsa|ec|ed25519|ssh-rsa|ecdsa-sha2-nistp256|ecdsa-sha2-nistp384|ecdsa-sha2-nistp521|ssh-ed25519 rsa (default), ec, ed25519, or an OpenSSH key type'
                        '--key-bits= key size (rsa: default 4096; ec: 256, 384, 521)'
                        '--private-key=:file private key to import'
                        '--public-key=:file public key to import'
                        '--default make it the default issuer'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh issuer use' {
                @{
                    Operands = @(':live')
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh issuer delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh record' {
                @{
                    Commands = @('prune Delete old entries of the record of signed certificates')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh record prune' {
                @{
                    Flags = @(
                        '--before= a date, a time (RFC 3339), or a duration such as 90d (required)'
                        '--record= record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh role' {
                @{
                    Commands = @(
                        'list List SSH roles'
                        'get Show an SSH role'
                        'put Create or update an SSH role'
                        'copy Create a copy of a role'
                        'edit Edit a role in an editor'
                        'delete Delete an SSH role'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh role list' {
                @{
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $out + $result + $every
                }
            }
            'ssh role get' {
                @{
                    Operands = @(':live')
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $out + $result + $every
                }
            }
            'ssh role put' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--key-type=ca|otp ca: sign keys (default); otp: one-time passwords'
                        '--allow-user-certificates allow user certificates'
                        '--allow-host-certificates allow host certificates'
                        '--allowed-users= allowed principals; * for any'
                        '--allowed-users-template allow identity templates in --allowed-users'
                        '--default-user= default principal'
                        '--default-user-template allow identity templates in --default-user'
                        '--allowed-domains= allowed domains of host certificates; * for any'
                        '--allowed-domains-template allow identity templates in --allowed-domains'
                        '--allow-bare-domains allow the domains themselves as principals'
                        '--allow-subdomains allow subdomains as principals'
                        '--allow-empty-principals allow certificates without principals, valid for anyone'
                        '--ttl= default validity period'
                        '--max-ttl= maximum validity period'
                        '--not-before-duration= backdating of the validity period (default 30s)'
                        '--default-extension,--default-extensions= default extension; repeatable'
                        '--default-extensions-template allow identity templates in --default-extension'
                        '--allowed-extensions= allowed extensions; * for any'
                        '--default-critical-option,--default-critical-options= default critical option; repeatable'
                        '--allowed-critical-options= allowed critical options (default: any)'
                        '--allow-user-key-ids allow key IDs in requests'
                        '--key-id-format= key ID: {{token_display_name}}, {{role_name}}, {{public_key_hash}}'
                        '--allowed-user-key-length,--allowed-user-key-lengths= allowed key type and sizes; repeatable'
                        '--algorithm-signer=default|ssh-rsa|rsa-sha2-256|rsa-sha2-512 signature algorithm of an RSA CA (ssh-rsa: SHA-1, insecure)'
                        '--issuer-ref=:live issuer name or ID (OpenBao)'
                        '--allow-commas-in-identity-templates allow commas in values of identity templates (OpenBao)'
                        '--cidr-list= otp: allowed addresses'
                        '--exclude-cidr-list= otp: excluded addresses'
                        '--port= otp: port of the host (default 22)'
                        '--unset=allow-user-certificates|allow-host-certificates|allowed-users|allowed-users-template|default-user|default-user-template|allowed-domains|allowed-domains-template|allow-bare-domains|allow-subdomains|allow-empty-principals|ttl|max-ttl|not-before-duration|default-extension|default-extensions-template|allowed-extensions|default-critical-option|allowed-critical-options|allow-user-key-ids|key-id-format|allowed-user-key-length|algorithm-signer|issuer-ref|allow-commas-in-identity-templates|cidr-list|exclude-cidr-list|port reset the field of a flag; repeatable'
                        '--replace reset all other fields to their defaults'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh role copy' {
                @{
                    Operands = @(':live', '-')
                    Flags = @(
                        '--to-mount=:live mount path of the target (default: as --mount)'
                        '--mount=:live SSH mount path (default: from settings, else ssh)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh role edit' {
                @{
                    Operands = @(':live')
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh role delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh zero-address' {
                @{
                    Commands = @(
                        'get List zero-address roles'
                        'put Set the zero-address roles'
                        'delete Remove all zero-address roles'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh zero-address get' {
                @{
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $out + $result + $every
                }
            }
            'ssh zero-address put' {
                @{
                    Operands = @(':live...')
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh zero-address delete' {
                @{
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'ssh tidy' {
                @{
                    Flags = @('--mount=:live SSH mount path (default: from settings, else ssh)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'kv' {
                @{
                    Commands = @(
                        'get Read a secret'
                        'put Write a secret'
                        'patch Update keys of a secret'
                        'edit Edit a secret in an editor'
                        'list List secrets under a path'
                        'copy Copy secrets to another path'
                        'move Move secrets'
                        'search Search paths, keys and values of secrets'
                        'diff Compare secrets or versions of a secret'
                        'export Write secrets to an encrypted file'
                        'import Restore secrets from an exported file'
                        'delete Delete a secret or some of its versions'
                        'undelete Restore deleted versions of a secret'
                        'rollback Write an earlier version as the current one'
                        'destroy Destroy versions of a secret permanently'
                        'metadata Manage the metadata of a secret'
                        'config Manage the configuration of a key-value mount'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'kv get' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--version= version to read (default: latest)'
                        '--mount=:live mount path of the engine; PATH is relative to it'
                        '-w,--watch show the result again at each change, until interrupted'
                        '--interval= with --watch: poll at this interval instead of waiting for changes'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'kv put' {
                @{
                    Operands = @(':live', '-...')
                    Flags = @(
                        '--in=:file keys and values as a JSON object; - for standard input'
                        '--cas= write only if N is the current version (0: none exists)'
                        '--mount=:live mount path of the engine; PATH is relative to it'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'kv patch' {
                @{
                    Operands = @(':live', '-...')
                    Flags = @(
                        '--in=:file keys and values as a JSON object; - for standard input'
                        '--remove,--remove-data= key to remove; repeatable'
                        '--cas= write only if N is the current version (0: none exists)'
                        '--method=patch|rw send a PATCH request, or read, merge and write (default: patch, else rw)'
                        '--mount=:live mount path of the engine; PATH is relative to it'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'kv edit' {
                @{
                    Operands = @(':live')
                    Flags = @('--mount=:live mount path of the engine; PATH is relative to it') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'kv list' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--recursive list all secrets below the path, with full paths'
                        '--mount=:live mount path of the engine; PATH is relative to it'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'kv copy' {
                @{
                    Operands = @(':live', ':live')
                    Flags = @(
                        '--recursive all secrets below the directory SRC'
                        '--overwrite replace secrets that exist and differ'
                        '--all-versions all versions with data; DST must have none'
                        '--allow-partial only the secrets that the token has permission to read'
                        '--to-profile=:profile profile of the destination (default: of the source)'
                        '--to-namespace=:live namespace of the destination'
                        '--dry-run show what would be written without sending any change'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'kv move' {
                @{
                    Operands = @(':live', ':live')
                    Flags = @(
                        '--recursive all secrets below the directory SRC'
                        '--overwrite replace secrets that exist and differ'
                        '--all-versions all versions with data; DST must have none'
                        '--allow-partial only the secrets that the token has permission to read'
                        '--to-profile=:profile profile of the destination (default: of the source)'
                        '--to-namespace=:live namespace of the destination'
                        '--dry-run show what would be written without sending any change'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'kv search' {
                @{
                    Operands = @('-', ':live')
                    Flags = @(
                        '--values search values too'
                        '--regex TEXT is a regular expression (RE2)'
                        '-i,--ignore-case ignore case'
                        '--reveal,--show-values show the values'
                        '--mount=:live mount path of the engine; PATH is relative to it'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'kv diff' {
                @{
                    Operands = @(':live', ':live')
                    Flags = @(
                        '--recursive compare all secrets below two directories'
                        '--version= version of A to compare (default: latest)'
                        '--with-version= version of B, or of A without B, to compare with (default: latest)'
                        '--with=:file JSON object of keys and values to compare with'
                        '--with-profile=:profile profile of B (without B: the same path there)'
                        '--with-namespace=:live namespace of B (without B: the same path there)'
                        '--allow-partial compare only the secrets that the token has permission to read'
                        '--reveal,--show-values show the values'
                        '--mount=:live mount path of the engine; PATH is relative to it'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'kv export' {
                @{
                    Operands = @(':live', ':file')
                    Flags = @(
                        '--recipient= encrypt for the owner of this key; repeatable'
                        '--passphrase=:file passphrase of the file: -, @FILE or env://NAME (default: prompt)'
                        '--plain write the values unencrypted'
                        '--all-versions all versions with data'
                        '--allow-partial only secrets that the token has permission to read'
                        '--force overwrite FILE'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'kv import' {
                @{
                    Operands = @(':file', ':live')
                    Flags = @(
                        '--identity=:file secret key of a recipient (AGE-SECRET-KEY-...): -, @FILE or env://NAME'
                        '--passphrase=:file passphrase of the file: -, @FILE or env://NAME (default: prompt)'
                        '--overwrite replace secrets that exist and differ'
                        '--dry-run show what would be written without sending any change'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'kv delete' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--versions= version numbers'
                        '--mount=:live mount path of the engine; PATH is relative to it'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'kv undelete' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--versions= version numbers'
                        '--mount=:live mount path of the engine; PATH is relative to it'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'kv rollback' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--version= version whose data to write (required)'
                        '--mount=:live mount path of the engine; PATH is relative to it'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'kv destroy' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--versions= version numbers'
                        '--mount=:live mount path of the engine; PATH is relative to it'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'kv metadata' {
                @{
                    Commands = @(
                        'get Show the metadata and versions of a secret'
                        'put Update the metadata of a secret'
                        'patch Update some metadata of a secret'
                        'delete Delete a secret and all of its versions'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'kv metadata get' {
                @{
                    Operands = @(':live')
                    Flags = @('--mount=:live mount path of the engine; PATH is relative to it') + $service + $namespace + $out + $result + $every
                }
            }
            'kv metadata put' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--max-versions= versions to keep; the larger of secret and mount applies (0: inherit)'
                        '--cas-required=true|false require --cas for every write'
                        '--delete-version-after= age at which versions are deleted (0s: never)'
                        '--custom-metadata= custom metadata, replaces the existing; repeatable'
                        '--unset=max-versions|cas-required|delete-version-after|custom-metadata reset the field of a flag; repeatable'
                        '--mount=:live mount path of the engine; PATH is relative to it'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'kv metadata patch' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--max-versions= versions to keep; the larger of secret and mount applies (0: inherit)'
                        '--cas-required=true|false require --cas for every write'
                        '--delete-version-after= age at which versions are deleted (0s: never)'
                        '--custom-metadata= custom metadata to add or change; repeatable'
                        '--remove-custom-metadata= custom metadata to remove; repeatable'
                        '--method=patch|rw send a PATCH request, or read, merge and write (default: patch, else rw)'
                        '--mount=:live mount path of the engine; PATH is relative to it'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'kv metadata delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--mount=:live mount path of the engine; PATH is relative to it') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'kv config' {
                @{
                    Commands = @(
                        'get Show the configuration of a key-value mount'
                        'put Update the configuration of a key-value mount'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'kv config get' {
                @{
                    Operands = @('-')
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'kv config put' {
                @{
                    Operands = @('-')
                    Flags = @(
                        '--max-versions= versions to keep; the larger of secret and mount applies (0: inherit)'
                        '--cas-required=true|false require --cas for every write'
                        '--delete-version-after= age at which versions are deleted (0s: never)'
                        '--unset=max-versions|cas-required|delete-version-after reset the field of a flag; repeatable'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets' {
                @{
                    Commands = @(
                        'read Read a path'
                        'write Write to a path'
                        'patch Change fields of a path'
                        'list List a path'
                        'delete Delete a path'
                        'creds Generate credentials of an engine'
                        'help Show the help of the service for a path'
                        'mount Manage secrets engines'
                        'auth Manage auth methods'
                        'policy Manage policies of the secrets service'
                        'token Manage tokens of the secrets service'
                        'lease Manage leases of credentials'
                        'unwrap Show a wrapped response, once'
                        'snapshot Manage snapshots of raft storage'
                        'namespace Manage namespaces of the secrets service'
                        'status Show the health and seal status'
                        'login Log in and store the token'
                        'logout Revoke and remove the stored token'
                        'init Initialize the service and show its unseal keys'
                        'unseal Unseal the service with an unseal key'
                        'seal Seal the service'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets read' {
                @{
                    Operands = @(':live')
                    Flags = @('--wrap-ttl= wrap the response: show only a token that returns it once, within this time') + $service + $namespace + $out + $result + $every
                }
            }
            'secrets write' {
                @{
                    Operands = @(':live', '-...')
                    Flags = @(
                        '--in=:file fields as a JSON object; - for standard input'
                        '--wrap-ttl= wrap the response: show only a token that returns it once, within this time'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets patch' {
                @{
                    Operands = @(':live', '-...')
                    Flags = @('--in=:file fields as a JSON object; - for standard input') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets list' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'secrets delete' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets creds' {
                @{
                    Operands = @(':live', '-...')
                    Flags = @(
                        '--common-name= pki: common name of the certificate'
                        '--alt-names= pki: further DNS names and email addresses of the certificate'
                        '--ttl= requested lifetime (default: set by the role)'
                        '--cert-out=:file pki: file for the certificate and its chain'
                        '--key-out=:file pki: file for the private key (mode 0600)'
                        '--force overwrite existing files'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets help' {
                @{
                    Operands = @(':live')
                    Flags = @('--openapi print the OpenAPI document of the path as JSON') + $service + $namespace + $out + $result + $every
                }
            }
            'secrets mount' {
                @{
                    Commands = @(
                        'list List secrets engines'
                        'get Show a secrets engine'
                        'enable Enable a secrets engine'
                        'tune Change settings of a secrets engine'
                        'move Move a secrets engine to another path'
                        'disable Disable a secrets engine and delete its data'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets mount list' {
                @{
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'secrets mount get' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'secrets mount enable' {
                @{
                    Operands = @('-')
                    Flags = @(
                        '--version= version of a key-value engine'
                        '--path= path of the mount (default: the type)'
                        '--description= description'
                        '--option,--options= option of the type; repeatable'
                        '--default-lease-ttl= default lease duration (0: system default)'
                        '--max-lease-ttl= maximum lease duration (0: system default)'
                        '--listing-visibility=hidden|unauth whether the path is listed without a token'
                        '--audit-non-hmac-request-keys,--audit-non-hmac-request-key= request fields that audit devices do not hash'
                        '--audit-non-hmac-response-keys,--audit-non-hmac-response-key= response fields that audit devices do not hash'
                        '--passthrough-request-headers= request headers to pass to the plugin'
                        '--allowed-response-headers= response headers that the plugin may set'
                        '--local do not replicate the mount to other clusters'
                        '--seal-wrap encrypt its data with the seal too'
                        '--plugin-version= version of the plugin'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets mount tune' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--description= description'
                        '--option,--options= option of the type; repeatable'
                        '--default-lease-ttl= default lease duration (0: system default)'
                        '--max-lease-ttl= maximum lease duration (0: system default)'
                        '--listing-visibility=hidden|unauth whether the path is listed without a token'
                        '--audit-non-hmac-request-keys,--audit-non-hmac-request-key= request fields that audit devices do not hash'
                        '--audit-non-hmac-response-keys,--audit-non-hmac-response-key= response fields that audit devices do not hash'
                        '--passthrough-request-headers= request headers to pass to the plugin'
                        '--allowed-response-headers= response headers that the plugin may set'
                        '--unset=description|default-lease-ttl|max-lease-ttl|listing-visibility|audit-non-hmac-request-keys|audit-non-hmac-response-keys|passthrough-request-headers|allowed-response-headers reset the field of a flag; repeatable'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets mount move' {
                @{
                    Operands = @(':live', '-')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets mount disable' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets auth' {
                @{
                    Commands = @(
                        'list List auth methods'
                        'get Show an auth method'
                        'enable Enable an auth method'
                        'tune Change settings of an auth method'
                        'move Move an auth method to another path'
                        'disable Disable an auth method'
                        'role Manage roles and users of auth methods'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets auth list' {
                @{
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'secrets auth get' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'secrets auth enable' {
                @{
                    Operands = @('-')
                    Flags = @(
                        '--path= path of the mount (default: the type)'
                        '--description= description'
                        '--option,--options= option of the type; repeatable'
                        '--default-lease-ttl= default lease duration (0: system default)'
                        '--max-lease-ttl= maximum lease duration (0: system default)'
                        '--listing-visibility=hidden|unauth whether the path is listed without a token'
                        '--audit-non-hmac-request-keys,--audit-non-hmac-request-key= request fields that audit devices do not hash'
                        '--audit-non-hmac-response-keys,--audit-non-hmac-response-key= response fields that audit devices do not hash'
                        '--passthrough-request-headers= request headers to pass to the plugin'
                        '--allowed-response-headers= response headers that the plugin may set'
                        '--token-type=default-service|default-batch|service|batch type of the tokens of its logins'
                        '--local do not replicate the mount to other clusters'
                        '--seal-wrap encrypt its data with the seal too'
                        '--plugin-version= version of the plugin'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets auth tune' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--description= description'
                        '--option,--options= option of the type; repeatable'
                        '--default-lease-ttl= default lease duration (0: system default)'
                        '--max-lease-ttl= maximum lease duration (0: system default)'
                        '--listing-visibility=hidden|unauth whether the path is listed without a token'
                        '--audit-non-hmac-request-keys,--audit-non-hmac-request-key= request fields that audit devices do not hash'
                        '--audit-non-hmac-response-keys,--audit-non-hmac-response-key= response fields that audit devices do not hash'
                        '--passthrough-request-headers= request headers to pass to the plugin'
                        '--allowed-response-headers= response headers that the plugin may set'
                        '--token-type=default-service|default-batch|service|batch type of the tokens of its logins'
                        '--unset=description|default-lease-ttl|max-lease-ttl|listing-visibility|audit-non-hmac-request-keys|audit-non-hmac-response-keys|passthrough-request-headers|allowed-response-headers|token-type reset the field of a flag; repeatable'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets auth move' {
                @{
                    Operands = @(':live', '-')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets auth disable' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets auth role' {
                @{
                    Commands = @(
                        'list List the roles of an auth method'
                        'get Show a role or user'
                        'put Create or update a role or user'
                        'delete Delete a role or user'
                        'id Show the role ID of an approle role'
                        'secret-id Manage secret IDs of approle roles'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets auth role list' {
                @{
                    Operands = @(':live')
                    Flags = @('--type=approle|jwt|oidc|kubernetes|cert|userpass|token type of the auth method (default: as the service says)') + $service + $namespace + $out + $result + $every
                }
            }
            'secrets auth role get' {
                @{
                    Operands = @(':live', ':live')
                    Flags = @('--type=approle|jwt|oidc|kubernetes|cert|userpass|token type of the auth method (default: as the service says)') + $service + $namespace + $out + $result + $every
                }
            }
            'secrets auth role put' {
                @{
                    Operands = @(':live', ':live')
                    Flags = @(
                        '--token-policies,--policies,--policy=:live policies of the tokens'
                        '--token-ttl,--ttl= time to live of the tokens'
                        '--token-max-ttl,--max-ttl= maximum lifetime of the tokens, including renewals'
                        '--token-period,--period= renewals extend the lifetime by this period, without a maximum'
                        '--token-explicit-max-ttl= maximum lifetime of the tokens, also of periodic ones'
                        '--token-num-uses= number of uses of a token (0: unlimited)'
                        '--token-bound-cidrs= addresses that may log in and use the tokens'
                        '--token-no-default-policy without the policy "default"'
                        '--token-type=default|service|batch|default-service|default-batch type of the tokens'
                        '--bind-secret-id=true|false approle: logins require a secret ID (default true)'
                        '--secret-id-ttl= approle: time to live of secret IDs (0: unlimited)'
                        '--secret-id-num-uses= approle: number of uses of a secret ID (0: unlimited)'
                        '--secret-id-bound-cidrs= approle: addresses that may log in'
                        '--role-id= approle: role ID (default: generated)'
                        '--local-secret-ids approle: do not replicate secret IDs to other clusters'
                        '--role-type=jwt|oidc jwt, oidc: log in with a JWT or in the browser (default: type of METHOD)'
                        '--user-claim= jwt, oidc: claim that names the user'
                        '--bound-audiences= jwt, oidc: accepted audiences'
                        '--bound-subject= jwt, oidc: required subject'
                        '--bound-claim,--bound-claims= jwt, oidc: required claim (several values: --in); repeatable'
                        '--bound-claims-type=string|glob jwt, oidc: how the claims of --bound-claim are compared (default string)'
                        '--claim-mapping,--claim-mappings= jwt, oidc: claim to copy into the metadata of the tokens; repeatable'
                        '--groups-claim= jwt, oidc: claim with the groups of the user'
                        '--oidc-scopes= jwt, oidc: scopes to request besides openid'
                        '--allowed-redirect-uri,--allowed-redirect-uris= jwt, oidc: redirect URIs that logins may use'
                        '--max-age= jwt, oidc: maximum time since the user signed in at the provider'
                        '--clock-skew-leeway= jwt, oidc: allowed clock skew'
                        '--bound-service-account-names= kubernetes: service accounts; * for any'
                        '--bound-service-account-namespaces= kubernetes: namespaces; * for any'
                        '--bound-service-account-namespace-selector= kubernetes: label selector of namespaces, in JSON or YAML'
                        '--audience= kubernetes: required audience of the JWT'
                        '--alias-name-source=serviceaccount_uid|serviceaccount_name kubernetes: what names the entity alias'
                        '--certificate=:file cert: CA certificate or certificate in PEM format'
                        '--display-name= cert: display name of the tokens'
                        '--allowed-common-names= cert: allowed common names'
                        '--allowed-dns-sans= cert: allowed DNS names'
                        '--allowed-email-sans= cert: allowed email addresses'
                        '--allowed-uri-sans= cert: allowed URIs'
                        '--allowed-organizational-units= cert: allowed organizational units'
                        '--required-extensions= cert: required extensions'
                        '--password=:file userpass: source of the password: -, @FILE or env://NAME'
                        '--allowed-policies=:live token: policies that the tokens may have'
                        '--allowed-policies-glob= token: patterns of policies that the tokens may have'
                        '--disallowed-policies=:live token: policies that the tokens may not have'
                        '--disallowed-policies-glob= token: patterns of policies that the tokens may not have'
                        '--allowed-entity-aliases= token: entity aliases that the tokens may have'
                        '--orphan token: tokens are not revoked with their parents'
                        '--renewable=true|false token: tokens can be renewed (default true)'
                        '--path-suffix= token: end of the path of the tokens, for revocations by prefix'
                        '--unset=token-policies|token-ttl|token-max-ttl|token-period|token-explicit-max-ttl|token-num-uses|token-bound-cidrs|token-no-default-policy|secret-id-ttl|secret-id-num-uses|secret-id-bound-cidrs|bound-audiences|bound-subject|bound-claim|bound-claims-type|claim-mapping|groups-claim|oidc-scopes|allowed-redirect-uri|max-age|clock-skew-leeway|bound-service-account-names|bound-service-account-namespaces|bound-service-account-namespace-selector|audience|alias-name-source|display-name|allowed-common-names|allowed-dns-sans|allowed-email-sans|allowed-uri-sans|allowed-organizational-units|required-extensions|allowed-policies|allowed-policies-glob|disallowed-policies|disallowed-policies-glob|allowed-entity-aliases|orphan|path-suffix reset the field of a flag; repeatable'
                        '--in=:file fields as JSON or YAML, also those without a flag'
                        '--type=approle|jwt|oidc|kubernetes|cert|userpass|token type of the auth method (default: as the service says)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets auth role delete' {
                @{
                    Operands = @(':live', ':live')
                    Flags = @('--type=approle|jwt|oidc|kubernetes|cert|userpass|token type of the auth method (default: as the service says)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets auth role id' {
                @{
                    Operands = @(':live', ':live')
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'secrets auth role secret-id' {
                @{
                    Commands = @(
                        'create Create a secret ID, wrapped'
                        'list List the secret IDs of a role'
                        'destroy Delete a secret ID'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets auth role secret-id create' {
                @{
                    Operands = @(':live', ':live')
                    Flags = @(
                        '--wrap-ttl= lifetime of the wrapping token (default 5m)'
                        '--no-wrap print the secret ID itself'
                        '--ttl= lifetime of the secret ID (default: of the role)'
                        '--use-limit,--num-uses= number of logins that it can be used for (default: of the role)'
                        '--metadata= metadata of the tokens, in audit logs; repeatable'
                        '--cidr-list= address that may log in with it; repeatable'
                        '--token-bound-cidrs= address that may use the tokens; repeatable'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets auth role secret-id list' {
                @{
                    Operands = @(':live', ':live')
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'secrets auth role secret-id destroy' {
                @{
                    Operands = @(':live', ':live', '-')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets policy' {
                @{
                    Commands = @(
                        'list List policies'
                        'check Check a policy without sending it'
                        'put Create or replace a policy'
                        'get Show a policy'
                        'delete Delete a policy'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets policy list' {
                @{
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'secrets policy check' {
                @{
                    Operands = @(':file')
                    Flags = $out + $result + $every
                }
            }
            'secrets policy put' {
                @{
                    Operands = @(':live', ':file')
                    Flags = @(
                        '--no-check send the policy without checking it'
                        '--replace reset all other fields of the policy (OpenBao)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets policy get' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'secrets policy delete' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets token' {
                @{
                    Commands = @(
                        'create Create a token'
                        'list List tokens by their accessors'
                        'self Show the token that is used'
                        'lookup Show a token'
                        'renew Extend the lifetime of a token'
                        'keep-alive Run a command and keep the token renewed'
                        'capabilities Show what a token may do with paths'
                        'revoke Revoke a token'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets token create' {
                @{
                    Flags = @(
                        '--policy,--policies=:live policy of the token (default: the policies of the current token); repeatable'
                        '--ttl= lifetime, after which it expires unless renewed (default: of the service)'
                        '--period= renewals extend the lifetime by this period, without a maximum'
                        '--explicit-max-ttl= maximum lifetime, including renewals'
                        '--use-limit,--num-uses= number of requests that it can be used for (default unlimited)'
                        '--orphan create without a parent: not revoked with the current token'
                        '--no-default-policy without the policy "default"'
                        '--not-renewable cannot be renewed'
                        '--type=service|batch type of the token (default service)'
                        '--role= role for tokens, which sets or limits the other properties'
                        '--display-name= display name, in audit logs'
                        '--metadata,--meta= metadata, in audit logs; repeatable'
                        '--entity-alias= entity alias of the token; requires --role'
                        '--id=:file source of the token itself, instead of a generated one: -, @FILE or env://NAME'
                        '--wrap-ttl= wrap the response: show only a token that returns it once, within this time'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets token list' {
                @{
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'secrets token self' {
                @{
                    Flags = @('--show-token show the token itself') + $service + $namespace + $out + $result + $every
                }
            }
            'secrets token lookup' {
                @{
                    Operands = @(':file')
                    Flags = @('--accessor= accessor of the token, instead of the token') + $service + $namespace + $out + $result + $every
                }
            }
            'secrets token renew' {
                @{
                    Operands = @(':file')
                    Flags = @(
                        '--accessor= accessor of the token, instead of the token'
                        '--increment= requested lifetime from now (default: set by the token)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets token keep-alive' {
                @{
                    Operands = @(':command...')
                    Flags = @('--increment= requested lifetime of each renewal (default: set by the token)') + $service + $namespace + $every
                }
            }
            'secrets token capabilities' {
                @{
                    Operands = @('-...')
                    Flags = @(
                        '--token=:file source of another token: -, @FILE or env://NAME'
                        '--accessor= accessor of the token, instead of the token'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'secrets token revoke' {
                @{
                    Operands = @(':file')
                    Flags = @(
                        '--accessor= accessor of the token, instead of the token'
                        '--self revoke the token that is used'
                        '--mode=tree|orphan orphan: keep the child tokens, as orphans (default tree)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets lease' {
                @{
                    Commands = @(
                        'list List leases below a prefix'
                        'lookup Show a lease'
                        'renew Extend a lease'
                        'revoke Revoke leases'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets lease list' {
                @{
                    Operands = @('-')
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'secrets lease lookup' {
                @{
                    Operands = @('-')
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'secrets lease renew' {
                @{
                    Operands = @('-')
                    Flags = @('--increment= requested lifetime from now (default: set by the lease)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets lease revoke' {
                @{
                    Operands = @('-')
                    Flags = @(
                        '--prefix revoke all leases below the path LEASE; requires sudo'
                        '--force with --prefix: ignore errors of the engine'
                        '--sync wait until the credentials are revoked'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets unwrap' {
                @{
                    Operands = @(':file')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets snapshot' {
                @{
                    Commands = @(
                        'save Download all data of the cluster to a file'
                        'restore Restore all data of the cluster from a snapshot'
                        'inspect Verify and show a snapshot file'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets snapshot save' {
                @{
                    Operands = @(':file')
                    Flags = @('--force overwrite an existing file') + $service + $namespace + $out + $result + $every
                }
            }
            'secrets snapshot restore' {
                @{
                    Operands = @(':file')
                    Flags = @('--force restore a snapshot of a cluster with other unseal keys') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets snapshot inspect' {
                @{
                    Operands = @(':file')
                    Flags = $out + $result + $every
                }
            }
            'secrets namespace' {
                @{
                    Commands = @(
                        'list List namespaces'
                        'get Show a namespace'
                        'create Create a namespace'
                        'update Update the metadata of a namespace'
                        'delete Delete a namespace'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets namespace list' {
                @{
                    Flags = @('--recursive all namespaces below') + $service + $namespace + $out + $result + $every
                }
            }
            'secrets namespace get' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'secrets namespace create' {
                @{
                    Operands = @(':live')
                    Flags = @('--custom-metadata= metadata of the namespace; repeatable') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets namespace update' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--custom-metadata= metadata to set; repeatable'
                        '--remove-custom-metadata= metadata to remove; repeatable'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets namespace delete' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets status' {
                @{
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'secrets login' {
                @{
                    Operands = @(':file')
                    Flags = @(
                        '--method=token|userpass|ldap|approle|jwt|kubernetes|cert|oidc login method (default: of the profile, else token)'
                        '--token=:file token: source of the token: -, @FILE or env://NAME'
                        '--username= userpass, ldap: user name'
                        '--password=:file userpass, ldap: source of the password: -, @FILE or env://NAME'
                        '--role-id= approle: role ID'
                        '--secret-id=:file approle: source of the secret ID: -, @FILE or env://NAME'
                        '--role= jwt, oidc, cert: role (default: chosen by the service); kubernetes: role'
                        '--jwt=:file jwt, kubernetes: source of the JWT (default: of the pod): -, @FILE, env://NAME; in CI github://AUDIENCE or gitlab://NAME'
                        '--callback-port= oidc: callback port (default 8250)'
                        '--no-browser oidc: print the URL instead of opening a browser'
                        '--wait= oidc: time to wait for the browser (default 5m)'
                        '--path=:live mount path below auth/ (default: name of the method)'
                        '--no-store print the token instead of storing it'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets logout' {
                @{
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets init' {
                @{
                    Flags = @(
                        '--secret-shares,--shares= number of unseal keys, 1 to 255 (default 5)'
                        '--secret-threshold,--threshold= number of keys that unseal the service (default 3)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets unseal' {
                @{
                    Operands = @(':file')
                    Flags = @(
                        '--reset discard the keys provided so far'
                        '--nonce= fail unless the current attempt has this nonce, as shown with its progress'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'secrets seal' {
                @{
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl' {
                @{
                    Commands = @(
                        'bootstrap Create the initial management token'
                        'login Log in with a bearer token and store the result'
                        'logout Delete and remove the token of a login'
                        'explain Show what a token may do'
                        'can Check whether a token may do something'
                        'policy Manage policies'
                        'token Manage tokens'
                        'role Manage roles'
                        'auth-method Manage auth methods'
                        'binding-rule Manage binding rules: permissions of logins'
                        'templated-policy Show templated policies'
                        'oidc Run the steps of an OIDC login from a script'
                        'replication Show the ACL replication status of a datacenter'
                        'translate-rules Translate legacy ACL rules to the current syntax'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl bootstrap' {
                @{
                    Flags = @(
                        '--secret=:file source of the secret, a UUID: -, @FILE or env://NAME (default: generated by the service)'
                        '--store also store the token with the profile'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl login' {
                @{
                    Flags = @(
                        '--method=:live auth method to log in with (required)'
                        '--bearer-token=:file source of the bearer token: -, @FILE, env://NAME; in CI github://AUDIENCE or gitlab://NAME'
                        '--meta= metadata of the token; repeatable'
                        '--oidc log in with the browser'
                        '--callback-port= with --oidc: callback port (default 8550)'
                        '--no-browser with --oidc: print the URL instead of opening a browser'
                        '--wait= with --oidc: time to wait for the browser (default 5m)'
                        '--no-store print the token instead of storing it'
                        '--dc,--datacenter=:live datacenter of the auth method (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl logout' {
                @{
                    Flags = @('--dc,--datacenter=:live datacenter of the auth method (default: from settings, else agent''s)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl explain' {
                @{
                    Operands = @(':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $out + $result + $every
                }
            }
            'acl can' {
                @{
                    Operands = @('-', '-')
                    Flags = @(
                        '--token=:live accessor ID or unique prefix of another token'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'acl policy' {
                @{
                    Commands = @(
                        'list List policies'
                        'get Show a policy and its rules'
                        'put Create or update a policy'
                        'delete Delete a policy'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl policy list' {
                @{
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $out + $result + $every
                }
            }
            'acl policy get' {
                @{
                    Operands = @(':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $out + $result + $every
                }
            }
            'acl policy put' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--rules=:file rules in HCL or JSON, a file or standard input'
                        '--no-check send the rules without checking them'
                        '--description= description'
                        '--valid-datacenter,--valid-datacenters= datacenter where it is valid (default all); repeatable'
                        '--unset=description|valid-datacenter reset the field of a flag; repeatable'
                        '--name= new name of the policy'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl policy delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl token' {
                @{
                    Commands = @(
                        'list List tokens'
                        'get Show a token'
                        'self Show the token that is used'
                        'create Create a token and print its secret'
                        'update Update a token'
                        'clone Create a copy of a token'
                        'delete Delete a token'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl token list' {
                @{
                    Flags = @(
                        '--policy=:live only tokens that are linked to this policy'
                        '--role=:live only tokens that are linked to this role'
                        '--auth-method=:live only tokens that were created by logins with this auth method'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'acl token get' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--expanded add all policies of the token, with their rules'
                        '--show-secret show the secret'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'acl token self' {
                @{
                    Flags = @(
                        '--show-secret show the secret'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'acl token create' {
                @{
                    Flags = @(
                        '--policy,--policy-name,--policy-id=:live policy to link; repeatable'
                        '--service-identity= service identity, in these datacenters; repeatable'
                        '--node-identity= node identity; repeatable'
                        '--templated-policy= templated policy, such as builtin/service:web; repeatable'
                        '--role,--role-name,--role-id=:live role to link; repeatable'
                        '--description= description'
                        '--ttl,--expires-ttl= time until the token expires (default never)'
                        '--expires-at= time when the token expires, as 2027-01-31T12:00:00Z'
                        '--local valid only in the datacenter of the agent'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                        '--accessor= accessor ID, a UUID (default: generated by the service)'
                        '--secret=:file source of the secret, a UUID: -, @FILE or env://NAME (default: generated by the service)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl token update' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--description= description'
                        '--policy,--policy-name,--policy-id=:live policies, replacing all existing ones; repeatable'
                        '--add-policy,--append-policy-name,--append-policy-id=:live policy to add; repeatable'
                        '--remove-policy=:live policy to remove; repeatable'
                        '--service-identity= service identities, replacing all; repeatable'
                        '--add-service-identity= service identity to add; repeatable'
                        '--remove-service-identity= service identity to remove; repeatable'
                        '--node-identity= node identities, replacing all; repeatable'
                        '--add-node-identity= node identity to add; repeatable'
                        '--remove-node-identity= node identity to remove; repeatable'
                        '--templated-policy= templated policies, replacing all; repeatable'
                        '--add-templated-policy= templated policy to add; repeatable'
                        '--remove-templated-policy= templated policy to remove; repeatable'
                        '--role,--role-name,--role-id=:live roles, replacing all existing ones; repeatable'
                        '--add-role,--append-role-name,--append-role-id=:live role to add; repeatable'
                        '--remove-role=:live role to remove; repeatable'
                        '--unset=description|policy|service-identity|node-identity|templated-policy|role reset the field of a flag; repeatable'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl token clone' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--description= description (default: the description of the token)'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl token delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl role' {
                @{
                    Commands = @(
                        'list List roles'
                        'get Show a role'
                        'put Create or update a role'
                        'delete Delete a role'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl role list' {
                @{
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $out + $result + $every
                }
            }
            'acl role get' {
                @{
                    Operands = @(':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $out + $result + $every
                }
            }
            'acl role put' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--description= description'
                        '--policy,--policy-name,--policy-id=:live policies, replacing all existing ones; repeatable'
                        '--add-policy,--append-policy-name,--append-policy-id=:live policy to add; repeatable'
                        '--remove-policy=:live policy to remove; repeatable'
                        '--service-identity= service identities, replacing all; repeatable'
                        '--add-service-identity= service identity to add; repeatable'
                        '--remove-service-identity= service identity to remove; repeatable'
                        '--node-identity= node identities, replacing all; repeatable'
                        '--add-node-identity= node identity to add; repeatable'
                        '--remove-node-identity= node identity to remove; repeatable'
                        '--templated-policy= templated policies, replacing all; repeatable'
                        '--add-templated-policy= templated policy to add; repeatable'
                        '--remove-templated-policy= templated policy to remove; repeatable'
                        '--unset=description|policy|service-identity|node-identity|templated-policy reset the field of a flag; repeatable'
                        '--name= new name of the role'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl role delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl auth-method' {
                @{
                    Commands = @(
                        'list List auth methods'
                        'get Show an auth method'
                        'put Create or update an auth method'
                        'delete Delete an auth method'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl auth-method list' {
                @{
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $out + $result + $every
                }
            }
            'acl auth-method get' {
                @{
                    Operands = @(':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $out + $result + $every
                }
            }
            'acl auth-method put' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--type=jwt|oidc|kubernetes|aws-iam type (required for a new method; cannot be changed)'
                        '--display-name= name for user interfaces'
                        '--description= description'
                        '--max-token-ttl= maximum lifetime of tokens of logins'
                        '--token-locality=local|global where tokens of logins are valid (default local)'
                        '--config=:file settings of the type (Config) as JSON or YAML, replacing the existing ones'
                        '--in=:file all fields as JSON or YAML, as "acl auth-method get -o json" prints them'
                        '--jwt-validation-pub-key=:file jwt: public key in PEM form; repeatable'
                        '--jwks-url= jwt: URL of the public keys'
                        '--oidc-discovery-url= jwt, oidc: URL of the issuer'
                        '--bound-issuer= jwt: issuer that tokens must have'
                        '--bound-audience,--bound-audiences= jwt, oidc: allowed audience; repeatable'
                        '--jwt-supported-alg,--jwt-supported-algs= jwt, oidc: allowed signature algorithm (default RS256); repeatable'
                        '--claim-mapping= jwt, oidc: claim that selectors know as value.NAME; repeatable'
                        '--list-claim-mapping= jwt, oidc: claim that selectors know as list.NAME; repeatable'
                        '--oidc-client-id= oidc: client ID'
                        '--oidc-client-secret=:file oidc: source of the client secret: -, @FILE or env://NAME'
                        '--allowed-redirect-uri,--allowed-redirect-uris= oidc: allowed redirect URI; repeatable'
                        '--kubernetes-host= kubernetes: address of the API server'
                        '--kubernetes-ca-cert=:file kubernetes: CA certificate of the API server in PEM form'
                        '--kubernetes-service-account-jwt=:file kubernetes: source of the JWT for token reviews: -, @FILE or env://NAME'
                        '--unset=display-name|description|max-token-ttl|jwks-url|oidc-discovery-url|bound-issuer|bound-audience|jwt-supported-alg|claim-mapping|list-claim-mapping|oidc-client-id|allowed-redirect-uri|kubernetes-host|kubernetes-ca-cert reset the field of a flag; repeatable'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl auth-method delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl binding-rule' {
                @{
                    Commands = @(
                        'list List binding rules'
                        'get Show a binding rule'
                        'create Create a binding rule'
                        'update Update a binding rule'
                        'delete Delete a binding rule'
                        'test Check which binding rules match claims'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl binding-rule list' {
                @{
                    Flags = @(
                        '--method=:live only rules of this auth method'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'acl binding-rule get' {
                @{
                    Operands = @(':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $out + $result + $every
                }
            }
            'acl binding-rule create' {
                @{
                    Flags = @(
                        '--method=:live auth method (required)'
                        '--bind-type=service|node|role|policy|templated-policy what a login gets'
                        '--bind-name= its name, which may contain ${value.NAME}'
                        '--bind-var= templated-policy: variable, which may contain ${value.NAME}; repeatable'
                        '--selector= logins, such as value.project == web (default all)'
                        '--description= description'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl binding-rule update' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--bind-type=service|node|role|policy|templated-policy what a login gets'
                        '--bind-name= its name, which may contain ${value.NAME}'
                        '--bind-var= templated-policy: variable, which may contain ${value.NAME}; repeatable'
                        '--selector= logins, such as value.project == web (default all)'
                        '--description= description'
                        '--unset=bind-var|selector|description reset the field of a flag; repeatable'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl binding-rule delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl binding-rule test' {
                @{
                    Flags = @(
                        '--method=:live auth method whose rules and claim mappings are used'
                        '--claims=:file claims as JSON or YAML'
                        '--bearer-token=:file source of a JWT with the claims: -, @FILE, env://NAME; in CI github://AUDIENCE or gitlab://NAME'
                        '--selector= selector to evaluate instead of the stored rules'
                        '--bind-type=service|node|role|policy|templated-policy with --selector: what a login gets'
                        '--bind-name= with --selector: its name, which may contain ${value.NAME}'
                        '--claim-mapping= claim that selectors know as value.NAME; repeatable'
                        '--list-claim-mapping= claim that selectors know as list.NAME; repeatable'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'acl templated-policy' {
                @{
                    Commands = @(
                        'list List templated policies'
                        'get Show a templated policy'
                        'preview Show the rules of a templated policy for a name'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl templated-policy list' {
                @{
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'acl templated-policy get' {
                @{
                    Operands = @('builtin/service|builtin/node|builtin/dns|builtin/nomad-server|builtin/nomad-client|builtin/api-gateway')
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'acl templated-policy preview' {
                @{
                    Operands = @('builtin/service|builtin/node|builtin/dns|builtin/nomad-server|builtin/nomad-client|builtin/api-gateway')
                    Flags = @('--name= value of the variable "name", if the template has it') + $service + $namespace + $out + $result + $every
                }
            }
            'acl oidc' {
                @{
                    Commands = @(
                        'auth-url Get the URL for an OIDC login'
                        'callback Complete an OIDC login'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl oidc auth-url' {
                @{
                    Flags = @(
                        '--method=:live auth method to log in with (required)'
                        '--redirect-uri= URI that the provider redirects to; the auth method must allow it (required)'
                        '--client-nonce=:file source of a secret that the callback must repeat: -, @FILE or env://NAME'
                        '--meta= metadata of the token; repeatable'
                        '--dc,--datacenter=:live datacenter of the auth method (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl oidc callback' {
                @{
                    Flags = @(
                        '--method=:live auth method to log in with (required)'
                        '--state= state from the redirect (required)'
                        '--code=:file source of the code from the redirect: -, @FILE or env://NAME'
                        '--client-nonce=:file source of the client nonce of the authorization URL: -, @FILE or env://NAME'
                        '--meta= metadata of the token; repeatable'
                        '--no-store print the token instead of storing it'
                        '--dc,--datacenter=:live datacenter of the auth method (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'acl replication' {
                @{
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $out + $result + $every
                }
            }
            'acl translate-rules' {
                @{
                    Operands = @(':file')
                    Flags = @('--accessor= accessor ID of a legacy token: translate its rules') + $service + $namespace + $out + $result + $every
                }
            }
            'query' {
                @{
                    Commands = @(
                        'list List prepared queries'
                        'get Show a prepared query'
                        'create Create a prepared query'
                        'update Update a prepared query'
                        'put Create or update prepared queries'
                        'delete Delete a prepared query'
                        'edit Edit a prepared query in an editor'
                        'exec Execute a prepared query and list its instances'
                        'explain Show how a query template renders for a name'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'query list' {
                @{
                    Flags = @(
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                        '--stale allow stale reads'
                        '--consistent fully consistent reads'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'query get' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                        '--stale allow stale reads'
                        '--consistent fully consistent reads'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'query create' {
                @{
                    Operands = @('-')
                    Flags = @(
                        '--name= name of the query'
                        '--service=:live service to look up'
                        '--service-namespace= namespace of the service'
                        '--near=:live sort by distance from this node, _agent or _ip (the client address)'
                        '--only-passing only instances whose checks all pass'
                        '--tag,--tags= only instances with this tag, or without it (!TAG); repeatable'
                        '--node-meta= only nodes with this metadata; repeatable'
                        '--service-meta= only instances with this metadata; repeatable'
                        '--connect only mesh-capable instances'
                        '--ignore-check,--ignore-check-ids= check to ignore; repeatable'
                        '--failover-nearest,--failover-nearest-n= number of nearest datacenters to try if no instance is healthy'
                        '--failover-datacenter,--failover-datacenters= datacenter to try after the nearest ones, in order; repeatable'
                        '--failover-target,--failover-targets= target to try, in order, instead of datacenters; repeatable'
                        '--session=:live session to bind to; the query is deleted with it'
                        '--token=:file source of the token to execute with: -, @FILE or env://NAME'
                        '--dns-ttl= TTL of DNS responses'
                        '--template=name_prefix_match template for names that start with the name of the query'
                        '--regexp= template: RE2 expression for ${match(N)}'
                        '--remove-empty-tags template: remove tags that are empty after rendering'
                        '--file=:file fields as JSON or YAML; - for standard input'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'query update' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--name= name of the query'
                        '--service=:live service to look up'
                        '--service-namespace= namespace of the service'
                        '--near=:live sort by distance from this node, _agent or _ip (the client address)'
                        '--only-passing only instances whose checks all pass'
                        '--tag,--tags= only instances with this tag, or without it (!TAG); repeatable'
                        '--node-meta= only nodes with this metadata; repeatable'
                        '--service-meta= only instances with this metadata; repeatable'
                        '--connect only mesh-capable instances'
                        '--ignore-check,--ignore-check-ids= check to ignore; repeatable'
                        '--failover-nearest,--failover-nearest-n= number of nearest datacenters to try if no instance is healthy'
                        '--failover-datacenter,--failover-datacenters= datacenter to try after the nearest ones, in order; repeatable'
                        '--failover-target,--failover-targets= target to try, in order, instead of datacenters; repeatable'
                        '--session=:live session to bind to; the query is deleted with it'
                        '--token=:file source of the token to execute with: -, @FILE or env://NAME'
                        '--dns-ttl= TTL of DNS responses'
                        '--template=name_prefix_match template for names that start with the name of the query'
                        '--regexp= template: RE2 expression for ${match(N)}'
                        '--remove-empty-tags template: remove tags that are empty after rendering'
                        '--unset=service-namespace|near|only-passing|tag|node-meta|service-meta|connect|ignore-check|failover-nearest|failover-datacenter|failover-target|session|token|dns-ttl|regexp|remove-empty-tags reset the field of a flag; repeatable'
                        '--file=:file fields as JSON or YAML; - for standard input'
                        '--replace reset all other fields to their defaults, except the token'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'query put' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--name= name of the query'
                        '--service=:live service to look up'
                        '--service-namespace= namespace of the service'
                        '--near=:live sort by distance from this node, _agent or _ip (the client address)'
                        '--only-passing only instances whose checks all pass'
                        '--tag,--tags= only instances with this tag, or without it (!TAG); repeatable'
                        '--node-meta= only nodes with this metadata; repeatable'
                        '--service-meta= only instances with this metadata; repeatable'
                        '--connect only mesh-capable instances'
                        '--ignore-check,--ignore-check-ids= check to ignore; repeatable'
                        '--failover-nearest,--failover-nearest-n= number of nearest datacenters to try if no instance is healthy'
                        '--failover-datacenter,--failover-datacenters= datacenter to try after the nearest ones, in order; repeatable'
                        '--failover-target,--failover-targets= target to try, in order, instead of datacenters; repeatable'
                        '--session=:live session to bind to; the query is deleted with it'
                        '--token=:file source of the token to execute with: -, @FILE or env://NAME'
                        '--dns-ttl= TTL of DNS responses'
                        '--template=name_prefix_match template for names that start with the name of the query'
                        '--regexp= template: RE2 expression for ${match(N)}'
                        '--remove-empty-tags template: remove tags that are empty after rendering'
                        '--unset=service-namespace|near|only-passing|tag|node-meta|service-meta|connect|ignore-check|failover-nearest|failover-datacenter|failover-target|session|token|dns-ttl|regexp|remove-empty-tags reset the field of a flag; repeatable'
                        '--file=:file fields as JSON or YAML; - for standard input'
                        '--replace reset all other fields to their defaults, except the token'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                        '--dry-run show what would be created and updated without sending any change'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'query delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'query edit' {
                @{
                    Operands = @(':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'query exec' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--near=:live sort by distance from this node, _agent or _ip (the client address)'
                        '--limit= maximum number of instances (0: unlimited)'
                        '--connect only mesh-capable instances'
                        '--format=hosts|ssh-config|prometheus-sd|addr print in the format of another program instead of text'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                        '--stale allow stale reads'
                        '--consistent fully consistent reads'
                        '-w,--watch show the result again at each change, until interrupted'
                        '--interval= with --watch: poll at this interval instead of waiting for changes'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'query explain' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                        '--stale allow stale reads'
                        '--consistent fully consistent reads'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'txn' {
                @{
                    Commands = @(
                        'apply Apply operations in one transaction'
                        'check Check a transaction without sending it'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'txn apply' {
                @{
                    Operands = @(':file')
                    Flags = @(
                        '--stale allow stale reads (read-only transactions)'
                        '--consistent fully consistent reads (read-only transactions)'
                        '--chunk= apply in several transactions of N operations each; not atomic'
                        '--undo=:file new file to write, with a transaction that undoes this one'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'txn check' {
                @{
                    Operands = @(':file')
                    Flags = $out + $result + $every
                }
            }
            'registry' {
                @{
                    Commands = @(
                        'service Manage services and their instances'
                        'node Show nodes, their services and checks'
                        'kv Manage keys of the service registry'
                        'config Manage config entries, the input of discovery chains'
                        'session Manage sessions, which hold locks of keys'
                        'member Show the members of the cluster'
                        'datacenter Show the datacenters of the registry'
                        'maintenance Take a node or service out of health queries'
                        'snapshot Manage snapshots of a datacenter'
                        'lock Run a command while a key is locked'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry service' {
                @{
                    Commands = @(
                        'list List services'
                        'get Show the instances of a service'
                        'register Register a service at the agent'
                        'deregister Deregister a service of the agent'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry service list' {
                @{
                    Flags = @(
                        '--filter= filter expression on instances, such as ServicePort == 80'
                        '--stale allow stale reads'
                        '--consistent fully consistent reads'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'registry service get' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--passing only instances whose checks all pass'
                        '--tag= only instances with the tag'
                        '--filter= filter expression, such as Service.Meta.version == "2"'
                        '--near=:live sort by distance from the node; _agent: from the agent'
                        '--stale allow stale reads'
                        '--consistent fully consistent reads'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                        '-w,--watch show the result again at each change, until interrupted'
                        '--interval= with --watch: poll at this interval instead of waiting for changes'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'registry service register' {
                @{
                    Operands = @('-')
                    Flags = @(
                        '--in=:file definitions; - for standard input'
                        '--id= ID, unique at the agent (default: NAME)'
                        '--address,--service-address= address (default: the address of the node)'
                        '--port= port'
                        '--tag= tag; repeatable'
                        '--meta= metadata; repeatable'
                        '--check-ttl= health check that must be updated within this time'
                        '--curl print the equivalent curl command and send nothing'
                        '--skip-verify skip verification of the TLS certificate; prints a warning'
                    ) + $namespace + $writes + $out + $result + $every
                }
            }
            'registry service deregister' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry node' {
                @{
                    Commands = @(
                        'list List nodes'
                        'get Show a node'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry node list' {
                @{
                    Flags = @(
                        '--filter= filter expression, such as Meta.rack == "a"'
                        '--near=:live sort by distance from the node; _agent: from the agent'
                        '--stale allow stale reads'
                        '--consistent fully consistent reads'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'registry node get' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--stale allow stale reads'
                        '--consistent fully consistent reads'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'registry kv' {
                @{
                    Commands = @(
                        'get Print the value of a key'
                        'list List keys'
                        'put Write a key'
                        'delete Delete a key or all keys with a prefix'
                        'export Write keys and values as JSON'
                        'import Write keys from a JSON file'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry kv get' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--recursive all keys with the prefix KEY, with their values'
                        '--stale allow stale reads'
                        '--consistent fully consistent reads'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                        '-w,--watch show the result again at each change, until interrupted'
                        '--interval= with --watch: poll at this interval instead of waiting for changes'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'registry kv list' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--recursive list every key'
                        '--separator= separator of names (default /)'
                        '--stale allow stale reads'
                        '--consistent fully consistent reads'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'registry kv put' {
                @{
                    Operands = @(':live', '-')
                    Flags = @(
                        '--cas= write only if N is its ModifyIndex (0: must not exist)'
                        '--flags= number for the application, up to 2^64-1'
                        '--base64 the value is in base64'
                        '--acquire=:live lock the key with the session'
                        '--release=:live unlock the key'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry kv delete' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--recursive delete all keys with the prefix KEY'
                        '--cas= delete only if N is the current ModifyIndex'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry kv export' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--out=:file file to write, of mode 0600 (default: standard output)'
                        '--force overwrite FILE'
                        '--allow-partial export only the keys that the token has permission to read'
                        '--stale allow stale reads'
                        '--consistent fully consistent reads'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $result + $every
                }
            }
            'registry kv import' {
                @{
                    Operands = @(':file')
                    Flags = @(
                        '--prefix= text to put before each key'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry config' {
                @{
                    Commands = @(
                        'list List config entries'
                        'get Show a config entry'
                        'put Write config entries from a file'
                        'delete Delete a config entry'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry config list' {
                @{
                    Operands = @('proxy-defaults|service-defaults|service-router|service-splitter|service-resolver|service-intentions|mesh|exported-services|sameness-group|jwt-provider|ingress-gateway|terminating-gateway|api-gateway|bound-api-gateway|http-route|tcp-route|inline-certificate|file-system-certificate|control-plane-request-limit')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $out + $result + $every
                }
            }
            'registry config get' {
                @{
                    Operands = @('proxy-defaults|service-defaults|service-router|service-splitter|service-resolver|service-intentions|mesh|exported-services|sameness-group|jwt-provider|ingress-gateway|terminating-gateway|api-gateway|bound-api-gateway|http-route|tcp-route|inline-certificate|file-system-certificate|control-plane-request-limit', ':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $out + $result + $every
                }
            }
            'registry config put' {
                @{
                    Operands = @(':file')
                    Flags = @(
                        '--cas= write only if N is the current ModifyIndex (0: the entry must not exist)'
                        '--replace reset all fields that are not in the file'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry config delete' {
                @{
                    Operands = @('proxy-defaults|service-defaults|service-router|service-splitter|service-resolver|service-intentions|mesh|exported-services|sameness-group|jwt-provider|ingress-gateway|terminating-gateway|api-gateway|bound-api-gateway|http-route|tcp-route|inline-certificate|file-system-certificate|control-plane-request-limit', ':live')
                    Flags = @(
                        '--cas= delete only if N is the current ModifyIndex'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry session' {
                @{
                    Commands = @(
                        'list List sessions'
                        'get Show a session'
                        'create Create a session'
                        'delete Delete a session and release its locks'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry session list' {
                @{
                    Flags = @(
                        '--node=:live only sessions of the node'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'registry session get' {
                @{
                    Operands = @(':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $out + $result + $every
                }
            }
            'registry session create' {
                @{
                    Flags = @(
                        '--name= name of the session; several may have the same'
                        '--ttl= lifetime of the session without a renewal, 10s to 24h (default: unlimited)'
                        '--lock-delay= how long its keys cannot be locked after the session ended, up to 60s (default 15s)'
                        '--behavior=release|delete what happens to its keys when the session ends (default release)'
                        '--node=:live node of the session (default: the node of the agent)'
                        '--node-check= ID of a health check of the node that ends the session; repeatable (default serfHealth)'
                        '--service-check= ID of a health check of a service that ends the session; repeatable'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry session delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry member' {
                @{
                    Commands = @('list List the members of the cluster')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry member list' {
                @{
                    Flags = @(
                        '--wan servers of all datacenters'
                        '--segment= members of a network segment of Consul Enterprise'
                        '--state=none|alive|leaving|left|failed only members in this state'
                        '--filter= filter expression, such as Tags["role"] == "consul"'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'registry datacenter' {
                @{
                    Commands = @('list List datacenters')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry datacenter list' {
                @{
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'registry maintenance' {
                @{
                    Commands = @(
                        'get Show what is in maintenance at the agent'
                        'enable Enable maintenance of the node or a service'
                        'disable Disable maintenance of the node or a service'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry maintenance get' {
                @{
                    Flags = @('--service=:live ID of a service of the agent (default: its node)') + $service + $namespace + $out + $result + $every
                }
            }
            'registry maintenance enable' {
                @{
                    Flags = @(
                        '--service=:live ID of a service of the agent (default: its node)'
                        '--reason= reason, which others see (default: a text of the agent)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry maintenance disable' {
                @{
                    Flags = @('--service=:live ID of a service of the agent (default: its node)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry snapshot' {
                @{
                    Commands = @(
                        'save Save a snapshot of a datacenter'
                        'restore Restore a snapshot of a datacenter'
                        'inspect Verify a snapshot file and show its contents'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry snapshot save' {
                @{
                    Operands = @(':file')
                    Flags = @(
                        '--force overwrite an existing file'
                        '--stale allow any server to save what it has, also without a leader'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'registry snapshot restore' {
                @{
                    Operands = @(':file')
                    Flags = @('--dc,--datacenter=:live datacenter (default: from settings, else agent''s)') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'registry snapshot inspect' {
                @{
                    Operands = @(':file')
                    Flags = $out + $result + $every
                }
            }
            'registry lock' {
                @{
                    Operands = @(':live', ':command...')
                    Flags = @(
                        '--wait= how long to wait for the lock; 0: one attempt (default: until it is free)'
                        '--ttl= lifetime of the lock without a renewal, 10s to 24h (default 15s)'
                        '--grace= time between SIGTERM and SIGKILL if the lock is lost (default 5s)'
                        '--lock-delay= how long a lost lock cannot be acquired, up to 60s (default 15s)'
                        '--name= name of the session (default: from command and key)'
                        '--node=:live node of the session (default: the node of the agent)'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                    ) + $service + $namespace + $writes + $every
                }
            }
            'chain' {
                @{
                    Commands = @('get Show the compiled discovery chain of a service')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'chain get' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--compile-dc= datacenter to compile for (default: the datacenter of the agent)'
                        '--override-protocol=tcp|http|http2|grpc override the protocol of every service'
                        '--override-connect-timeout= override the connect timeout of every service'
                        '--override-mesh-gateway=none|local|remote override the mesh gateway mode'
                        '--format=dot|mermaid print a diagram instead of text'
                        '--diff show what the overrides change'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                        '-w,--watch show the result again at each change, until interrupted'
                        '--interval= with --watch: poll at this interval instead of waiting for changes'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'discovery-chain' {
                @{
                    Commands = @('get Show a discovery chain (alias of chain get)')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'discovery-chain get' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--compile-dc= datacenter to compile for (default: the datacenter of the agent)'
                        '--override-protocol=tcp|http|http2|grpc override the protocol of every service'
                        '--override-connect-timeout= override the connect timeout of every service'
                        '--override-mesh-gateway=none|local|remote override the mesh gateway mode'
                        '--format=dot|mermaid print a diagram instead of text'
                        '--diff show what the overrides change'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                        '-w,--watch show the result again at each change, until interrupted'
                        '--interval= with --watch: poll at this interval instead of waiting for changes'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'box' {
                @{
                    Commands = @(
                        'list List the boxes of a user or organization'
                        'search Search for boxes'
                        'get Show a box and its versions'
                        'create Create a box'
                        'update Update a box'
                        'delete Delete a box and all of its versions'
                        'version Manage versions of a box'
                        'upload Upload the image of a provider'
                        'publish Create, upload and release a version in one step'
                        'download Download and verify an image'
                        'release Release a version'
                        'revoke Revoke a released version'
                        'provider Manage providers of a version'
                        'token Manage the access token of the box registry'
                        'request-code Request a two-factor authentication code'
                        'org Create and show organizations that own boxes'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'box list' {
                @{
                    Operands = @(':live')
                    Flags = $service + $out + $result + $every
                }
            }
            'box search' {
                @{
                    Operands = @('-')
                    Flags = @(
                        '--provider= only boxes with this provider'
                        '--sort=downloads|created|updated sort by downloads (default), created or updated'
                        '--order=desc|asc sort order (default desc)'
                        '--limit= boxes per page, at most 100 (default 10, with --all 100)'
                        '--page= page to show (default 1)'
                        '--all request all pages'
                    ) + $service + $out + $result + $every
                }
            }
            'box get' {
                @{
                    Operands = @(':live')
                    Flags = $service + $out + $result + $every
                }
            }
            'box create' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--private make the box visible only to authorized users'
                        '--public make the box visible to everyone'
                        '--short-description= short description, shown in search results'
                        '--description=:file description in Markdown'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'box update' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--private make the box visible only to authorized users'
                        '--public make the box visible to everyone'
                        '--short-description= short description, shown in search results'
                        '--description=:file description in Markdown'
                        '--unset=short-description|description reset the field of a flag; repeatable'
                        '--name= new name, without the owner'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'box delete' {
                @{
                    Operands = @(':live')
                    Flags = $service + $writes + $out + $result + $every
                }
            }
            'box version' {
                @{
                    Commands = @(
                        'get Show a version and its providers'
                        'create Create a version of a box'
                        'update Update a version of a box'
                        'delete Delete a version and its images'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'box version get' {
                @{
                    Operands = @(':live', ':live')
                    Flags = $service + $out + $result + $every
                }
            }
            'box version create' {
                @{
                    Operands = @(':live', ':live')
                    Flags = @('--description=:file description of the version in Markdown') + $service + $writes + $out + $result + $every
                }
            }
            'box version update' {
                @{
                    Operands = @(':live', ':live')
                    Flags = @(
                        '--description=:file description of the version in Markdown'
                        '--unset=description reset the field of a flag; repeatable'
                        '--number= new version number'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'box version delete' {
                @{
                    Operands = @(':live', ':live')
                    Flags = $service + $writes + $out + $result + $every
                }
            }
            'box upload' {
                @{
                    Operands = @(':live', ':live', ':live', ':file')
                    Flags = @(
                        '--checksum-type=md5|sha1|sha256|sha384|sha512 type of the stored checksum (default: the existing type, else sha256)'
                        '--architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown architecture of the provider'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'box publish' {
                @{
                    Operands = @(':live', ':live', ':live', ':file')
                    Flags = @(
                        '--private make the box visible only to authorized users'
                        '--public make the box visible to everyone'
                        '--short-description= short description, shown in search results'
                        '--description=:file description in Markdown'
                        '--version-description=:file description of the version in Markdown'
                        '--url= URL of the image, instead of FILE'
                        '--checksum= checksum of the image at --url'
                        '--checksum-type=md5|sha1|sha256|sha384|sha512 checksum type (default: sha256, or by the length of --checksum)'
                        '--architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown architecture of the provider'
                        '--no-release do not release the version; use "box release" later'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'box download' {
                @{
                    Operands = @(':live', ':live', ':live')
                    Flags = @(
                        '--out=:file output file (default NAME-VERSION-PROVIDER.box)'
                        '--force overwrite an existing file'
                        '--architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown architecture of the provider'
                    ) + $service + $result + $every
                }
            }
            'box release' {
                @{
                    Operands = @(':live', ':live')
                    Flags = $service + $writes + $out + $result + $every
                }
            }
            'box revoke' {
                @{
                    Operands = @(':live', ':live')
                    Flags = $service + $writes + $out + $result + $every
                }
            }
            'box provider' {
                @{
                    Commands = @(
                        'get Show a provider with its image and checksum'
                        'create Create a provider of a version'
                        'update Update a provider of a version'
                        'delete Delete a provider and its image'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'box provider get' {
                @{
                    Operands = @(':live', ':live', ':live')
                    Flags = @('--architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown architecture of the provider') + $service + $out + $result + $every
                }
            }
            'box provider create' {
                @{
                    Operands = @(':live', ':live', ':live')
                    Flags = @(
                        '--url= URL of the image, instead of an upload'
                        '--checksum= checksum of the image, verified on download'
                        '--checksum-type=md5|sha1|sha256|sha384|sha512 type of --checksum (default: by its length)'
                        '--architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown architecture of the provider'
                        '--default-architecture use --architecture for clients that do not request an architecture'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'box provider update' {
                @{
                    Operands = @(':live', ':live', ':live')
                    Flags = @(
                        '--url= URL of the image, instead of an upload'
                        '--checksum= checksum of the image, verified on download'
                        '--checksum-type=md5|sha1|sha256|sha384|sha512 type of --checksum (default: by its length)'
                        '--name= new name'
                        '--architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown architecture of the provider'
                        '--default-architecture use --architecture for clients that do not request an architecture'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'box provider delete' {
                @{
                    Operands = @(':live', ':live', ':live')
                    Flags = @('--architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown architecture of the provider') + $service + $writes + $out + $result + $every
                }
            }
            'box token' {
                @{
                    Commands = @(
                        'create Log in and store the token'
                        'check Check whether the token is valid'
                        'delete Delete and remove the stored token'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'box token create' {
                @{
                    Flags = @(
                        '--login= user name or email address (default: prompt)'
                        '--password=:file source of the password: -, @FILE or env://NAME (default: prompt)'
                        '--code=:file source of the two-factor code: -, @FILE or env://NAME'
                        '--description= description of the token'
                        '--no-store print the token instead of storing it'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'box token check' {
                @{
                    Flags = $service + $out + $result + $every
                }
            }
            'box token delete' {
                @{
                    Flags = $service + $writes + $out + $result + $every
                }
            }
            'box request-code' {
                @{
                    Flags = @(
                        '--login= user name or email address (default: prompt)'
                        '--password=:file source of the password: -, @FILE or env://NAME (default: prompt)'
                        '--delivery-method=sms delivery method (default sms)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'box org' {
                @{
                    Commands = @(
                        'get Show a user or organization and its boxes'
                        'create Create an organization'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'box org get' {
                @{
                    Operands = @(':live')
                    Flags = $service + $out + $result + $every
                }
            }
            'box org create' {
                @{
                    Operands = @('-')
                    Flags = $service + $writes + $out + $result + $every
                }
            }
            'scheduler' {
                @{
                    Commands = @('acl Manage policies, tokens and roles of the scheduler')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'scheduler acl' {
                @{
                    Commands = @(
                        'bootstrap Create the initial management token'
                        'policy Manage policies'
                        'token Manage tokens'
                        'role Manage roles'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'scheduler acl bootstrap' {
                @{
                    Flags = @(
                        '--secret=:file source of the secret, a UUID: -, @FILE or env://NAME (default: generated by the service)'
                        '--store also store the token with the profile'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'scheduler acl policy' {
                @{
                    Commands = @(
                        'list List policies'
                        'get Show a policy and its rules'
                        'put Create or update a policy'
                        'check Check rules offline'
                        'delete Delete a policy'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'scheduler acl policy list' {
                @{
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'scheduler acl policy get' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'scheduler acl policy put' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--rules=:file rules in HCL or JSON, a file or standard input'
                        '--no-check send the rules without checking them'
                        '--description= description, at most 256 bytes'
                        '--job= job that has the policy without a token, with %2F for a slash in a name'
                        '--unset=description|job reset the field of a flag; repeatable'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'scheduler acl policy check' {
                @{
                    Operands = @(':file')
                    Flags = $out + $result + $every
                }
            }
            'scheduler acl policy delete' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'scheduler acl token' {
                @{
                    Commands = @(
                        'list List tokens'
                        'get Show a token'
                        'self Show the token that is used'
                        'create Create a token and print its secret'
                        'update Update a token'
                        'delete Delete a token'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'scheduler acl token list' {
                @{
                    Flags = @(
                        '--policy=:live only tokens with this policy'
                        '--role=:live only tokens with this role'
                        '--type=client|management only tokens of this type'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'scheduler acl token get' {
                @{
                    Operands = @(':live')
                    Flags = @('--show-secret show the secret') + $service + $namespace + $out + $result + $every
                }
            }
            'scheduler acl token self' {
                @{
                    Flags = @('--show-secret show the secret') + $service + $namespace + $out + $result + $every
                }
            }
            'scheduler acl token create' {
                @{
                    Flags = @(
                        '--name= name for people, at most 256 bytes'
                        '--type=client|management management for all permissions (default client)'
                        '--policy=:live policy of the token; repeatable'
                        '--role=:live role of the token; repeatable'
                        '--global valid in all regions, not only in the region of the server'
                        '--ttl= time until the token expires (default never)'
                        '--accessor= accessor ID of a client token, a UUID (default: generated by the service)'
                        '--secret=:file source of the secret of a client token, a UUID: -, @FILE or env://NAME (default: generated by the service)'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'scheduler acl token update' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--name= name for people, at most 256 bytes'
                        '--policy=:live policies, replacing all existing ones; repeatable'
                        '--role=:live roles, replacing all existing ones; repeatable'
                        '--add-policy=:live policy to add; repeatable'
                        '--remove-policy=:live policy to remove; repeatable'
                        '--add-role=:live role to add; repeatable'
                        '--remove-role=:live role to remove; repeatable'
                        '--unset=name|policy|role reset the field of a flag; repeatable'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'scheduler acl token delete' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'scheduler acl role' {
                @{
                    Commands = @(
                        'list List roles'
                        'get Show a role'
                        'put Create or update a role'
                        'delete Delete a role'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'scheduler acl role list' {
                @{
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'scheduler acl role get' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'scheduler acl role put' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--description= description, at most 256 bytes'
                        '--policy=:live policy of the role; repeatable'
                        '--unset=description reset the field of a flag; repeatable'
                        '--name= new name of the role'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'scheduler acl role delete' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'namespace' {
                @{
                    Commands = @(
                        'list List namespaces'
                        'get Show a namespace'
                        'put Create or update a namespace'
                        'delete Delete an empty namespace'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'namespace list' {
                @{
                    Flags = @('--prefix=:live only names with this prefix') + $service + $namespace + $out + $result + $every
                }
            }
            'namespace get' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $out + $result + $every
                }
            }
            'namespace put' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--description= description, at most 256 bytes'
                        '--quota= quota, if the service supports quotas'
                        '--meta= metadata; replaces all existing metadata; repeatable'
                        '--unset=description|quota|meta reset the field of a flag; repeatable'
                        '--in=:file fields as JSON, YAML or HCL; - for standard input'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'namespace delete' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'var' {
                @{
                    Commands = @(
                        'list List variables'
                        'get Read a variable'
                        'put Write a variable'
                        'edit Edit a variable in an editor'
                        'diff Compare variables with files or another namespace'
                        'export Export variables to files'
                        'import Import variables from files'
                        'lock Run a command while a variable is locked'
                        'delete Delete a variable'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'var list' {
                @{
                    Flags = @(
                        '--prefix=:live only paths with this prefix'
                        '--filter= filter expression, such as VariableMetadata.Path contains "db"'
                        '--per-page= maximum number of variables; a note shows the token of the next page'
                        '--next-token= token of the page to request'
                        '--all request all pages'
                        '-w,--watch show the result again at each change, until interrupted'
                        '--interval= with --watch: poll at this interval instead of waiting for changes'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'var get' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--reveal show the values'
                        '-w,--watch show the result again at each change, until interrupted'
                        '--interval= with --watch: poll at this interval instead of waiting for changes'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'var put' {
                @{
                    Operands = @(':live', ':live...')
                    Flags = @(
                        '--in=:file items as JSON, YAML, dotenv or HCL; - for standard input'
                        '--format=json|yaml|env|hcl format of the file (default: from its name or content)'
                        '--cas= write only if N is the current ModifyIndex (0: none exists)'
                        '--force ignore the ModifyIndex of the file'
                        '--merge update the given items; fail on a concurrent change'
                        '--retry-merge as --merge, but retry unless the same items were changed concurrently'
                    ) + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'var edit' {
                @{
                    Operands = @(':live')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'var diff' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--with=:file file of items (with PATH), or directory of such files'
                        '--format=json|yaml|env|hcl format of the file (default: from its name or content)'
                        '--with-namespace=:live namespace to compare with'
                        '--prefix=:live without PATH: only paths with this prefix'
                        '--reveal show the values'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'var export' {
                @{
                    Operands = @(':directory')
                    Flags = @(
                        '--prefix=:live only paths with this prefix'
                        '--format=json|yaml format of the files (default json)'
                        '--force overwrite files that differ'
                    ) + $service + $namespace + $out + $result + $every
                }
            }
            'var import' {
                @{
                    Operands = @(':directory')
                    Flags = @('--dry-run show what would be created and updated without sending any change') + $service + $namespace + $out + $result + $every
                }
            }
            'var lock' {
                @{
                    Operands = @(':live', ':command...')
                    Flags = @(
                        '--wait= how long to wait for the lock; 0: one attempt (default: until it is free)'
                        '--ttl= lifetime of the lock without a renewal, 10s to 24h (default 15s)'
                        '--grace= time between SIGTERM and SIGKILL if the lock is lost (default 5s)'
                        '--lock-delay= how long an expired lock stays locked (default 15s)'
                        '--discard-items remove the items of the variable instead of reading them'
                        '--env set the items of the variable in the environment of the command'
                        '--prefix= prefix for all names'
                        '--upper convert names to upper case'
                        '--allow-name= allow a name that affects other programs, such as DOCKER_HOST; repeatable'
                    ) + $service + $namespace + $writes + $every
                }
            }
            'var delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--cas= delete only if N is the current ModifyIndex') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'wait' {
                @{
                    Commands = @(
                        'service Wait for instances of a service'
                        'key Wait for a key of the service registry'
                        'var Wait for a variable of the scheduler'
                        'kv Wait for a key-value secret'
                        'status Wait until a service is available'
                        'secrets Wait for the secrets service'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'wait service' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--passing= number of instances that must pass all checks (default 1 without --for)'
                        '--tag= only instances with the tag'
                        '--for= condition: present, absent, changed or a JMESPath expression; repeatable, all must be met'
                        '--any stop waiting when one of the conditions is met'
                        '--fail-if= condition that ends the wait with exit code 1; repeatable'
                        '--stable= how long the condition must be met without interruption'
                        '--timeout= how long to wait, not the timeout of a request; 0: check once (default 60s)'
                        '--fail-fast fail if the service is unreachable or unavailable, instead of waiting'
                        '--interval= poll at this interval instead of waiting for changes'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                        '-p,--profile=:profile profile to use instead of the active one'
                        '-o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env'
                        '-y,--yes skip confirmation prompts'
                        '--no-input disable prompts; fail if input is required'
                        '-q,--quiet suppress notes, progress and messages of success'
                        '-v,--verbose log requests and responses to standard error, without secrets'
                        '--debug=:file append a trace of requests and responses to a file, without secrets'
                        '--no-color disable color (also NO_COLOR, TERM=dumb)'
                        '-h,--help show the help of the command'
                    ) + $service + $namespace + $out + $result
                }
            }
            'wait key' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--for= condition: present, absent, changed or a JMESPath expression; repeatable, all must be met'
                        '--any stop waiting when one of the conditions is met'
                        '--fail-if= condition that ends the wait with exit code 1; repeatable'
                        '--stable= how long the condition must be met without interruption'
                        '--timeout= how long to wait, not the timeout of a request; 0: check once (default 60s)'
                        '--fail-fast fail if the service is unreachable or unavailable, instead of waiting'
                        '--interval= poll at this interval instead of waiting for changes'
                        '--dc,--datacenter=:live datacenter (default: from settings, else agent''s)'
                        '-p,--profile=:profile profile to use instead of the active one'
                        '-o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env'
                        '-y,--yes skip confirmation prompts'
                        '--no-input disable prompts; fail if input is required'
                        '-q,--quiet suppress notes, progress and messages of success'
                        '-v,--verbose log requests and responses to standard error, without secrets'
                        '--debug=:file append a trace of requests and responses to a file, without secrets'
                        '--no-color disable color (also NO_COLOR, TERM=dumb)'
                        '-h,--help show the help of the command'
                    ) + $service + $namespace + $out + $result
                }
            }
            'wait var' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--for= condition: present, absent, changed or a JMESPath expression; repeatable, all must be met'
                        '--any stop waiting when one of the conditions is met'
                        '--fail-if= condition that ends the wait with exit code 1; repeatable'
                        '--stable= how long the condition must be met without interruption'
                        '--timeout= how long to wait, not the timeout of a request; 0: check once (default 60s)'
                        '--fail-fast fail if the service is unreachable or unavailable, instead of waiting'
                        '--interval= poll at this interval instead of waiting for changes'
                        '-p,--profile=:profile profile to use instead of the active one'
                        '-o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env'
                        '-y,--yes skip confirmation prompts'
                        '--no-input disable prompts; fail if input is required'
                        '-q,--quiet suppress notes, progress and messages of success'
                        '-v,--verbose log requests and responses to standard error, without secrets'
                        '--debug=:file append a trace of requests and responses to a file, without secrets'
                        '--no-color disable color (also NO_COLOR, TERM=dumb)'
                        '-h,--help show the help of the command'
                    ) + $service + $namespace + $out + $result
                }
            }
            'wait kv' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--for= condition: present, absent, changed or a JMESPath expression; repeatable, all must be met'
                        '--any stop waiting when one of the conditions is met'
                        '--fail-if= condition that ends the wait with exit code 1; repeatable'
                        '--stable= how long the condition must be met without interruption'
                        '--timeout= how long to wait, not the timeout of a request; 0: check once (default 60s)'
                        '--fail-fast fail if the service is unreachable or unavailable, instead of waiting'
                        '--interval= poll at this interval instead of waiting for changes'
                        '--mount=:live mount path of the engine; PATH is relative to it'
                        '-p,--profile=:profile profile to use instead of the active one'
                        '-o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env'
                        '-y,--yes skip confirmation prompts'
                        '--no-input disable prompts; fail if input is required'
                        '-q,--quiet suppress notes, progress and messages of success'
                        '-v,--verbose log requests and responses to standard error, without secrets'
                        '--debug=:file append a trace of requests and responses to a file, without secrets'
                        '--no-color disable color (also NO_COLOR, TERM=dumb)'
                        '-h,--help show the help of the command'
                    ) + $service + $namespace + $out + $result
                }
            }
            'wait status' {
                @{
                    Operands = @('secrets|registry|box|scheduler|accounts')
                    Flags = @(
                        '--for= condition: present, absent, changed or a JMESPath expression; repeatable, all must be met'
                        '--any stop waiting when one of the conditions is met'
                        '--fail-if= condition that ends the wait with exit code 1; repeatable'
                        '--stable= how long the condition must be met without interruption'
                        '--timeout= how long to wait, not the timeout of a request; 0: check once (default 60s)'
                        '--fail-fast fail if the service is unreachable or unavailable, instead of waiting'
                        '--interval= poll at this interval instead of waiting for changes'
                        '-p,--profile=:profile profile to use instead of the active one'
                        '-o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env'
                        '-y,--yes skip confirmation prompts'
                        '--no-input disable prompts; fail if input is required'
                        '-q,--quiet suppress notes, progress and messages of success'
                        '-v,--verbose log requests and responses to standard error, without secrets'
                        '--debug=:file append a trace of requests and responses to a file, without secrets'
                        '--no-color disable color (also NO_COLOR, TERM=dumb)'
                        '-h,--help show the help of the command'
                    ) + $service + $namespace + $out + $result
                }
            }
            'wait secrets' {
                @{
                    Operands = @('unsealed|initialized')
                    Flags = @(
                        '--for= condition: present, absent, changed or a JMESPath expression; repeatable, all must be met'
                        '--any stop waiting when one of the conditions is met'
                        '--fail-if= condition that ends the wait with exit code 1; repeatable'
                        '--stable= how long the condition must be met without interruption'
                        '--timeout= how long to wait, not the timeout of a request; 0: check once (default 60s)'
                        '--fail-fast fail if the service is unreachable or unavailable, instead of waiting'
                        '--interval= poll at this interval instead of waiting for changes'
                        '-p,--profile=:profile profile to use instead of the active one'
                        '-o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env'
                        '-y,--yes skip confirmation prompts'
                        '--no-input disable prompts; fail if input is required'
                        '-q,--quiet suppress notes, progress and messages of success'
                        '-v,--verbose log requests and responses to standard error, without secrets'
                        '--debug=:file append a trace of requests and responses to a file, without secrets'
                        '--no-color disable color (also NO_COLOR, TERM=dumb)'
                        '-h,--help show the help of the command'
                    ) + $service + $namespace + $out + $result
                }
            }
            'account' {
                @{
                    Commands = @(
                        'list List the accounts of an auth method'
                        'get Show an account'
                        'create Create an account'
                        'update Update an account'
                        'delete Delete an account'
                        'change-password Change a password with the current one'
                        'set-password Set or remove the password of an account'
                        'auth-method Manage auth methods'
                        'user Manage users, who log in with accounts'
                        'role Manage roles, which grant permissions to users'
                        'scope Manage scopes: organizations and projects'
                        'login Log in and store the token'
                        'logout Delete and remove the token of a login'
                        'token Manage the tokens of logins'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'account list' {
                @{
                    Flags = @(
                        '--auth-method=:live auth method of the accounts (default: BOUNDARY_AUTH_METHOD_ID, the profile, or the primary auth method)'
                        '--filter= filter expression, such as "/item/name" == "ci"'
                        '--since= only changes since the list with this token'
                        '--page-size= accounts per page (default: set by the service)'
                    ) + $service + $out + $result + $every
                }
            }
            'account get' {
                @{
                    Operands = @(':live')
                    Flags = @('--auth-method=:live auth method of a login name (default: from settings, else the primary one)') + $service + $out + $result + $every
                }
            }
            'account create' {
                @{
                    Flags = @(
                        '--auth-method=:live auth method of the account (default: BOUNDARY_AUTH_METHOD_ID, the profile, or the primary auth method)'
                        '--type=password|oidc|ldap account type (default: type of the auth method)'
                        '--name= account name'
                        '--description= account description'
                        '--login-name= password, ldap: login name'
                        '--issuer= oidc: issuer (default: issuer of the auth method)'
                        '--subject= oidc: subject at the issuer'
                        '--full-name= oidc, ldap: full name'
                        '--email= oidc, ldap: email address'
                        '--dn= ldap: distinguished name'
                        '--member-of-groups= ldap: group of the account; repeatable'
                        '--token-claims=:file oidc: ID token claims, an object in JSON or YAML'
                        '--userinfo-claims=:file oidc: user info claims, an object in JSON or YAML'
                        '--password=:file password: source of the password: -, @FILE or env://NAME'
                        '--no-password password: create the account without a password'
                        '--user=:live name or ID of the user that gets the account; a missing name is created'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account update' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--name= account name; null or "" clears it, ''"null"'' is the text null'
                        '--description= account description; null clears it'
                        '--login-name= password, ldap: login name'
                        '--issuer= oidc: issuer (default: issuer of the auth method)'
                        '--subject= oidc: subject at the issuer'
                        '--full-name= oidc, ldap: full name; null clears it'
                        '--email= oidc, ldap: email address; null clears it'
                        '--dn= ldap: distinguished name; null clears it'
                        '--member-of-groups= ldap: group of the account; repeatable'
                        '--token-claims=:file oidc: ID token claims, an object in JSON or YAML'
                        '--userinfo-claims=:file oidc: user info claims, an object in JSON or YAML'
                        '--unset=name|description|full-name|email|dn|member-of-groups reset the field of a flag; repeatable'
                        '--auth-method=:live auth method of a login name (default: from settings, else the primary one)'
                        '--at= version that the account must have (default: current)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--auth-method=:live auth method of a login name (default: from settings, else the primary one)') + $service + $writes + $out + $result + $every
                }
            }
            'account change-password' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--current-password=:file source of the current password: -, @FILE or env://NAME'
                        '--new-password=:file source of the new password: -, @FILE or env://NAME'
                        '--auth-method=:live auth method of a login name (default: from settings, else the primary one)'
                        '--at= version that the account must have (default: current)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account set-password' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--password=:file source of the password: -, @FILE or env://NAME'
                        '--no-password remove the password; the account can no longer log in'
                        '--auth-method=:live auth method of a login name (default: from settings, else the primary one)'
                        '--at= version that the account must have (default: current)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account auth-method' {
                @{
                    Commands = @(
                        'list List auth methods'
                        'create Create an auth method'
                        'get Show an auth method'
                        'update Update an auth method'
                        'delete Delete an auth method'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'account auth-method list' {
                @{
                    Flags = @(
                        '--scope=:live scope of the auth methods: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--filter= filter expression, such as "/item/type" == "oidc"'
                    ) + $service + $out + $result + $every
                }
            }
            'account auth-method create' {
                @{
                    Operands = @('-')
                    Flags = @(
                        '--type=password|oidc|ldap type (default password)'
                        '--scope=:live scope of the auth method: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--description= description'
                        '--min-login-name-length= password: minimum length of a login name (default 3)'
                        '--min-password-length= password: minimum length of a password (default 8)'
                        '--issuer= oidc: URL of the identity provider'
                        '--client-id= oidc: ID of the client at the identity provider'
                        '--client-secret=:file oidc: source of the client secret: -, @FILE or env://NAME'
                        '--api-url-prefix= oidc: URL of this service, for the callback'
                        '--max-age= oidc: maximum age of a login at the identity provider, in seconds'
                        '--signing-algorithm= oidc: accepted signing algorithm of tokens; repeatable'
                        '--idp-ca-cert=:file oidc: CA certificate of the identity provider in PEM form; repeatable'
                        '--allowed-audience= oidc: accepted audience of tokens; repeatable'
                        '--claims-scope,--claims-scopes= oidc: requested scope of claims; repeatable'
                        '--account-claim-map,--account-claim-maps= oidc: claim that a field of an account is taken from; repeatable'
                        '--prompt,--prompts= oidc: what the identity provider asks for; repeatable'
                        '--state=inactive|active-private|active-public oidc, ldap: state; only an active auth method accepts logins'
                        '--url,--urls= ldap: URL of the directory; repeatable'
                        '--start-tls ldap: use StartTLS'
                        '--insecure-tls ldap: do not verify the certificate of the directory'
                        '--certificate=:file ldap: CA certificate of the directory in PEM form; repeatable'
                        '--client-certificate=:file ldap: client certificate in PEM form'
                        '--client-certificate-key=:file ldap: source of the key of the client certificate: -, @FILE or env://NAME'
                        '--bind-dn= ldap: DN that searches are made with'
                        '--bind-password=:file ldap: source of the password of --bind-dn: -, @FILE or env://NAME'
                        '--discover-dn ldap: search for the DN of a user'
                        '--anon-group-search ldap: search for groups without a login'
                        '--upn-domain= ldap: domain of user principal names'
                        '--user-dn= ldap: where users are searched for'
                        '--user-attr= ldap: attribute of the login name'
                        '--user-filter= ldap: filter of the search for users'
                        '--enable-groups ldap: search for the groups of users'
                        '--group-dn= ldap: where groups are searched for'
                        '--group-attr= ldap: attribute of the name of a group'
                        '--group-filter= ldap: filter of the search for groups'
                        '--use-token-groups ldap: use the tokenGroups attribute'
                        '--account-attribute-map= ldap: attribute that a field of an account is taken from; repeatable'
                        '--max-page-size= ldap: maximum number of entries per page of a search'
                        '--deref-aliases=NeverDerefAliases|DerefInSearching|DerefFindingBaseObj|DerefAlways ldap: when aliases are followed'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account auth-method get' {
                @{
                    Operands = @(':live')
                    Flags = @('--scope=:live scope of a method given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)') + $service + $out + $result + $every
                }
            }
            'account auth-method update' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--name= new name of the auth method'
                        '--description= description'
                        '--min-login-name-length= password: minimum length of a login name (default 3)'
                        '--min-password-length= password: minimum length of a password (default 8)'
                        '--issuer= oidc: URL of the identity provider'
                        '--client-id= oidc: ID of the client at the identity provider'
                        '--client-secret=:file oidc: source of the client secret: -, @FILE or env://NAME'
                        '--api-url-prefix= oidc: URL of this service, for the callback'
                        '--max-age= oidc: maximum age of a login at the identity provider, in seconds'
                        '--signing-algorithm= oidc: accepted signing algorithm of tokens; repeatable'
                        '--idp-ca-cert=:file oidc: CA certificate of the identity provider in PEM form; repeatable'
                        '--allowed-audience= oidc: accepted audience of tokens; repeatable'
                        '--claims-scope,--claims-scopes= oidc: requested scope of claims; repeatable'
                        '--account-claim-map,--account-claim-maps= oidc: claim that a field of an account is taken from; repeatable'
                        '--prompt,--prompts= oidc: what the identity provider asks for; repeatable'
                        '--state=inactive|active-private|active-public oidc, ldap: state; only an active auth method accepts logins'
                        '--url,--urls= ldap: URL of the directory; repeatable'
                        '--start-tls ldap: use StartTLS'
                        '--insecure-tls ldap: do not verify the certificate of the directory'
                        '--certificate=:file ldap: CA certificate of the directory in PEM form; repeatable'
                        '--client-certificate=:file ldap: client certificate in PEM form'
                        '--client-certificate-key=:file ldap: source of the key of the client certificate: -, @FILE or env://NAME'
                        '--bind-dn= ldap: DN that searches are made with'
                        '--bind-password=:file ldap: source of the password of --bind-dn: -, @FILE or env://NAME'
                        '--discover-dn ldap: search for the DN of a user'
                        '--anon-group-search ldap: search for groups without a login'
                        '--upn-domain= ldap: domain of user principal names'
                        '--user-dn= ldap: where users are searched for'
                        '--user-attr= ldap: attribute of the login name'
                        '--user-filter= ldap: filter of the search for users'
                        '--enable-groups ldap: search for the groups of users'
                        '--group-dn= ldap: where groups are searched for'
                        '--group-attr= ldap: attribute of the name of a group'
                        '--group-filter= ldap: filter of the search for groups'
                        '--use-token-groups ldap: use the tokenGroups attribute'
                        '--account-attribute-map= ldap: attribute that a field of an account is taken from; repeatable'
                        '--max-page-size= ldap: maximum number of entries per page of a search'
                        '--deref-aliases=NeverDerefAliases|DerefInSearching|DerefFindingBaseObj|DerefAlways ldap: when aliases are followed'
                        '--unset=description|min-login-name-length|min-password-length|max-age|signing-algorithm|idp-ca-cert|allowed-audience|claims-scope|account-claim-map|prompt|start-tls|insecure-tls|certificate|client-certificate|client-certificate-key|bind-dn|bind-password|discover-dn|anon-group-search|upn-domain|user-dn|user-attr|user-filter|enable-groups|group-dn|group-attr|group-filter|use-token-groups|account-attribute-map|max-page-size|deref-aliases reset the field of a flag; repeatable'
                        '--disable-discovered-config-validation oidc: do not compare the settings with the configuration that the issuer publishes'
                        '--scope=:live scope of a method given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--at= version that the auth method must have (default: current)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account auth-method delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--scope=:live scope of a method given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)') + $service + $writes + $out + $result + $every
                }
            }
            'account user' {
                @{
                    Commands = @(
                        'list List users'
                        'get Show a user'
                        'create Create a user'
                        'update Update a user'
                        'delete Delete a user'
                        'add-accounts Add accounts to a user'
                        'remove-accounts Remove accounts from a user'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'account user list' {
                @{
                    Flags = @(
                        '--scope=:live scope of the users: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--recursive also of the scopes below'
                        '--filter= filter expression, such as "/item/name" == "ops"'
                    ) + $service + $out + $result + $every
                }
            }
            'account user get' {
                @{
                    Operands = @(':live')
                    Flags = @('--scope=:live scope of a user given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)') + $service + $out + $result + $every
                }
            }
            'account user create' {
                @{
                    Operands = @('-')
                    Flags = @(
                        '--description= description'
                        '--scope=:live scope of the user: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account user update' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--name= new name of the user'
                        '--description= description'
                        '--unset=description reset the field of a flag; repeatable'
                        '--scope=:live scope of a user given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--at= version that the user must have (default: current)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account user delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--scope=:live scope of a user given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)') + $service + $writes + $out + $result + $every
                }
            }
            'account user add-accounts' {
                @{
                    Operands = @(':live', ':live...')
                    Flags = @(
                        '--scope=:live scope of a user given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--auth-method=:live auth method of a login name (default: from settings, else the primary one)'
                        '--at= version that the user must have (default: current)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account user remove-accounts' {
                @{
                    Operands = @(':live', ':live...')
                    Flags = @(
                        '--scope=:live scope of a user given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--auth-method=:live auth method of a login name (default: from settings, else the primary one)'
                        '--at= version that the user must have (default: current)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account role' {
                @{
                    Commands = @(
                        'list List roles'
                        'get Show a role with its grants and principals'
                        'create Create a role'
                        'update Update a role'
                        'delete Delete a role'
                        'add-grants Add grants to a role'
                        'remove-grants Remove grants from a role'
                        'add-principals Add users and groups to a role'
                        'remove-principals Take a role from users and groups'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'account role list' {
                @{
                    Flags = @(
                        '--scope=:live scope of the roles: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--recursive also of the scopes below'
                        '--filter= filter expression, such as "/item/name" == "ops"'
                    ) + $service + $out + $result + $every
                }
            }
            'account role get' {
                @{
                    Operands = @(':live')
                    Flags = @('--scope=:live scope of a role given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)') + $service + $out + $result + $every
                }
            }
            'account role create' {
                @{
                    Operands = @('-')
                    Flags = @(
                        '--description= description'
                        '--grant-scope=:live scope of the grants: this (default), children, descendants, or a scope; repeatable'
                        '--scope=:live scope of the role: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--grant= grant, such as "ids=*;type=target;actions=list,read"; repeatable'
                        '--principal=:live name of a user, or ID of a user or group, that gets the role; repeatable'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account role update' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--name= new name of the role'
                        '--description= description'
                        '--grant-scope=:live scope of the grants: this (default), children, descendants, or a scope; repeatable'
                        '--unset=description reset the field of a flag; repeatable'
                        '--scope=:live scope of a role given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--at= version that the role must have (default: current)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account role delete' {
                @{
                    Operands = @(':live')
                    Flags = @('--scope=:live scope of a role given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)') + $service + $writes + $out + $result + $every
                }
            }
            'account role add-grants' {
                @{
                    Operands = @(':live', '-...')
                    Flags = @(
                        '--scope=:live scope of a role given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--at= version that the role must have (default: current)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account role remove-grants' {
                @{
                    Operands = @(':live', '-...')
                    Flags = @(
                        '--scope=:live scope of a role given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--at= version that the role must have (default: current)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account role add-principals' {
                @{
                    Operands = @(':live', ':live...')
                    Flags = @(
                        '--scope=:live scope of a role given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--at= version that the role must have (default: current)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account role remove-principals' {
                @{
                    Operands = @(':live', ':live...')
                    Flags = @(
                        '--scope=:live scope of a role given by name: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--at= version that the role must have (default: current)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account scope' {
                @{
                    Commands = @(
                        'list List scopes'
                        'get Show a scope'
                        'create Create an organization or a project'
                        'update Update a scope'
                        'delete Delete a scope with everything in it'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'account scope list' {
                @{
                    Flags = @(
                        '--scope=:live scope of the scopes: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--recursive also the projects of the organizations'
                        '--filter= filter expression, such as "/item/name" == "ops"'
                    ) + $service + $out + $result + $every
                }
            }
            'account scope get' {
                @{
                    Operands = @(':live')
                    Flags = $service + $out + $result + $every
                }
            }
            'account scope create' {
                @{
                    Operands = @('-')
                    Flags = @(
                        '--description= description'
                        '--scope=:live scope above the new one: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--skip-admin-role-creation create no role with all permissions for you'
                        '--skip-default-role-creation create no role for logins'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account scope update' {
                @{
                    Operands = @(':live')
                    Flags = @(
                        '--name= new name of the scope'
                        '--description= description'
                        '--primary-auth-method=:live primary auth method: its accounts get a user with their first login'
                        '--unset=description|primary-auth-method reset the field of a flag; repeatable'
                        '--at= version that the scope must have (default: current)'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account scope delete' {
                @{
                    Operands = @(':live')
                    Flags = $service + $writes + $out + $result + $every
                }
            }
            'account login' {
                @{
                    Flags = @(
                        '--auth-method=:live auth method (default: BOUNDARY_AUTH_METHOD_ID, the profile, or the primary auth method)'
                        '--login-name= password, ldap: login name of the account'
                        '--password=:file password, ldap: source of the password: -, @FILE or env://NAME'
                        '--no-browser oidc: print the URL instead of opening a browser'
                        '--wait= oidc: time to wait for the browser (default 5m)'
                        '--no-store print the token instead of storing it'
                    ) + $service + $writes + $out + $result + $every
                }
            }
            'account logout' {
                @{
                    Flags = $service + $writes + $out + $result + $every
                }
            }
            'account token' {
                @{
                    Commands = @(
                        'list List tokens of the current user'
                        'get Show a token'
                        'delete Delete a token (log out)'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'account token list' {
                @{
                    Flags = @(
                        '--all tokens of all users'
                        '--scope=:live scope of the tokens: global, ORGANIZATION[/PROJECT] by name, or an ID (default global)'
                        '--filter= filter expression, such as "/item/account_id" == "acctpw_1234567890"'
                    ) + $service + $out + $result + $every
                }
            }
            'account token get' {
                @{
                    Operands = @(':live')
                    Flags = $service + $out + $result + $every
                }
            }
            'account token delete' {
                @{
                    Operands = @(':live')
                    Flags = $service + $writes + $out + $result + $every
                }
            }
            'profile' {
                @{
                    Commands = @(
                        'list List profiles'
                        'get Show a profile'
                        'put Create or update a profile'
                        'import Create a profile from the environment and token files'
                        'use Set the active profile'
                        'delete Delete a profile and its stored tokens'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'profile list' {
                @{
                    Flags = $out + $result + $every
                }
            }
            'profile get' {
                @{
                    Operands = @(':profile')
                    Flags = $out + $result + $every
                }
            }
            'profile put' {
                @{
                    Operands = @(':profile', '-...')
                    Flags = @(
                        '--ssh-role= default role of the SSH commands'
                        '--ssh-mount=:live default mount path of the SSH engine'
                        '--ssh-principals= default principals of user certificates'
                        '--ssh-revoked= location of the SSH revocation list'
                        '--ssh-record= location of the record of signed SSH certificates'
                    ) + $out + $result + $every
                }
            }
            'profile import' {
                @{
                    Operands = @(':profile')
                    Flags = @('--force replace an existing profile and its stored tokens') + $out + $result + $every
                }
            }
            'profile use' {
                @{
                    Operands = @(':profile')
                    Flags = $out + $result + $every
                }
            }
            'profile delete' {
                @{
                    Operands = @(':profile')
                    Flags = $out + $result + $every
                }
            }
            'alias' {
                @{
                    Commands = @(
                        'list List aliases'
                        'get Print the expansion of an alias'
                        'set Create or replace an alias'
                        'delete Delete an alias'
                    )
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'alias list' {
                @{
                    Flags = $out + $result + $every
                }
            }
            'alias get' {
                @{
                    Operands = @(':live')
                    Flags = $out + $result + $every
                }
            }
            'alias set' {
                @{
                    Operands = @(':live', '-')
                    Flags = @(
                        '-s,--shell run EXPANSION with sh, with the arguments as "$@"'
                        '--force replace an existing alias'
                    ) + $out + $result + $every
                }
            }
            'alias delete' {
                @{
                    Operands = @(':live')
                    Flags = $out + $result + $every
                }
            }
            'plugin' {
                @{
                    Commands = @('list List plugins in PATH')
                    Flags = $service + $namespace + $writes + $out + $result + $every
                }
            }
            'plugin list' {
                @{
                    Flags = $out + $result + $every
                }
            }
            'api' {
                @{
                    Operands = @('secrets|registry|box|scheduler|accounts', 'GET|LIST|POST|PUT|PATCH|DELETE|RECOVER|SCAN', '-', '-...')
                    Flags = @('--data=:file source of the request body: -, @FILE or env://NAME') + $service + $namespace + $writes + $out + $result + $every
                }
            }
            'schema' {
                @{
                    Operands = @(':live...')
                    Flags = @('--all print one schema with the schemas of all commands in $defs') + $out + $result + $every
                }
            }
            'completion' {
                @{
                    Operands = @('bash|zsh|fish|powershell')
                    Flags = $every
                }
            }
        }
    }

    $topics = @(
        'guides Guides: first steps, SSH, tests, moving from other tools'
        'flags Flags that commands share'
        'exit-codes Exit codes and their meaning'
        'environment Environment variables and precedence of settings'
        'formats Output formats, --field and --select'
        'watching Watching for changes, and waiting for conditions'
        'vault Equivalents of vault and bao commands'
        'consul Equivalents of consul commands'
        'nomad Equivalents of nomad commands'
        'boundary Equivalents of boundary commands'
        'vagrant Equivalents of vagrant commands'
        'getting-started Getting started'
        'real-clusters Use Lanyard with real clusters'
        'ssh-for-teams SSH certificates for a team'
        'ssh-hosts Enroll a host'
        'ssh-certificates SSH certificates: renewal, agent, batches'
        'ssh-revoke Revoke certificates and keys'
        'ssh-history What was signed'
        'ssh-rotate Rotate an SSH CA'
        'ssh-rejected My SSH login is rejected'
        'one-time-passwords Log in with one-time passwords'
        'copy-secrets Copy, search and back up secrets'
        'running-programs Running programs'
        'team-state A team''s systems in files'
        'environments Environments and several sets'
        'templates Files from templates'
        'aliases-and-plugins Aliases and plugins'
        'state-files State in files'
        'drift Changes outside of files'
        'ci-jobs Secrets in CI jobs'
        'ci-github Secrets in GitHub Actions'
        'ci-gitlab Secrets in GitLab CI/CD'
        'embedded-services Embedded services for tests'
        'new-openbao Set up a new OpenBao or Vault'
        'new-consul Set up a new Consul'
        'new-nomad Set up a new Nomad'
        'new-boundary Set up a new Boundary'
        'from-vault Moving from vault and bao'
        'from-consul Moving from consul'
        'from-nomad Moving from nomad'
        'from-boundary Moving from boundary'
        'from-vagrant Moving from vagrant cloud'
    )

    function Get-Names([string] $entry) {
        ($entry -replace '[= ].*$') -split ','
    }

    # The KIND of the value that a flag takes; $null when it takes none.
    function Get-Kind([string] $name) {
        foreach ($flag in $place.Flags) {
            $names, $kind = ($flag -split ' ', 2)[0] -split '=', 2
            if (($names -split ',') -ccontains $name) { return $kind }
        }
    }

    # The word as it must be typed.
    function Get-Quoted([string] $word) {
        # Typographic quotes end a text, too.
        if ($word -match '[^\w./\\:~+%=-]') { "'" + ($word -replace "['\u2018-\u201b]", '$0$0') + "'" } else { $word }
    }

    function New-Candidate([string] $text, [string] $help, [string] $type, [string] $prefix = '') {
        if (-not "$prefix$text".StartsWith($current, [System.StringComparison]::Ordinal)) { return }
        $about = if ($help) { $help } else { $text }
        [System.Management.Automation.CompletionResult]::new((Get-Quoted "$prefix$text"), $text, $type, $about)
    }

    # Commands, flags and topics are written with their help after a space.
    function New-Listed([string[]] $entries, [string] $type) {
        foreach ($entry in $entries) {
            $help = ($entry -split ' ', 2)[1]
            foreach ($name in Get-Names $entry) { New-Candidate $name $help $type }
        }
    }

    function Get-Paths([string] $prefix, [bool] $foldersOnly) {
        if ($current.Substring($prefix.Length) -match '^(@|file://)') { $prefix += $Matches[1] }
        $path = $current.Substring($prefix.Length)
        foreach ($found in [System.Management.Automation.CompletionCompleters]::CompleteFilename($path)) {
            if ($foldersOnly -and $found.ResultType -ne 'ProviderContainer') { continue }
            $bare = $found.CompletionText -replace "^'(.*)'$", '$1' -replace "''", "'"
            [System.Management.Automation.CompletionResult]::new(
                (Get-Quoted "$prefix$bare"), $found.ListItemText, $found.ResultType, $found.ToolTip)
        }
    }

    function Get-Values([string] $kind, [string] $prefix) {
        switch ($kind) {
            '' { }
            '-' { }
            ':file' { Get-Paths $prefix $false }
            ':directory' { Get-Paths $prefix $true }
            ':profile' {
                foreach ($line in (lanyard profile list 2>$null)) {
                    $name = ($line -split "`t")[0]
                    New-Candidate $name '' 'ParameterValue' $prefix
                }
            }
            ':live' {
                if ($env:LANYARD_COMPLETION -ceq 'static') { return }
                foreach ($line in (lanyard __complete powershell "=$current" '--' @words 2>$null)) {
                    $name, $help = $line -split "`t", 2
                    if ($own -and $line -ceq ':file') { return Get-Paths $prefix $false }
                    New-Candidate $name $help 'ParameterValue' $prefix
                }
            }
            ':command' { [System.Management.Automation.CompletionCompleters]::CompleteCommand($current) }
            default { foreach ($choice in $kind -split '\|') { New-Candidate $choice '' 'ParameterValue' $prefix } }
        }
    }

    # What completes the operand at the cursor: a KIND, or :flags where none can stand.
    function Get-OperandKind {
        $operands = @($place.Operands | Where-Object { $_ })
        if ($given -lt $operands.Count) {
            $kind = $operands[$given] -replace '\.\.\.$'
        } elseif ($operands.Count -gt 0 -and $operands[-1].EndsWith('...')) {
            $kind = if ($operands[-1] -eq ':command...') { ':file' } else { $operands[-1] -replace '\.\.\.$' }
        } else {
            $kind = ':flags'
        }
        if ($ended -and $kind -ne ':command') { ':file' } else { $kind }
    }

    $current = $wordToComplete -replace '[''"]'
    $path = ''
    $pending = $null
    $ended = $false
    $helping = $false
    $own = $false
    $before = ''
    $manual = $false
    $given = 0
    $words = @()
    $place = Get-Place ''
    foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
        if ($element.Extent.EndOffset -ge $cursorPosition) { break }
        $word = $element.Extent.Text
        $words += if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $element.Value } else { $word }
        if ($null -ne $pending) { $pending = $null }
        elseif ($ended) { $given++ }
        elseif ($word -ceq '--') { $ended = $true }
        elseif ($word -cmatch '^--.*=') { continue }
        elseif ($helping -and $word -ceq '--man') { $manual = $true }
        elseif ($word -cmatch '^--') { $pending = Get-Kind $word }
        elseif ($word -cmatch '^-(.+)') {
            # The first that takes a value has the rest of the word, or else the next one.
            $letters = $Matches[1]
            for ($index = 0; $index -lt $letters.Length; $index++) {
                $kind = Get-Kind "-$($letters[$index])"
                if ($null -eq $kind) { continue }
                if ($index -eq $letters.Length - 1) { $pending = $kind }
                break
            }
        }
        elseif ($given -eq 0 -and @($place.Commands | ForEach-Object { Get-Names $_ }) -ccontains $word) {
            $path = "$path $word".Trim()
            $place = Get-Place $path
        }
        else {
            $given++
            # After a flag that only some commands have, it may be a value.
            if ($path -eq '' -and -not $helping -and $given -eq 1 -and $before -cnotmatch '^-') { $own = $true }
        }
        $before = $word
        # "help" is followed by the words of any command.
        if (-not $helping -and $path -ceq 'help') {
            $helping = $true
            $path = ''
            $place = Get-Place ''
        }
    }

    $candidates = @(
        if ($own) {
            # An alias or a plugin: of what follows, only the program itself knows what it is.
            Get-Values ':live' ''
        }
        elseif ($helping -and $current.StartsWith('-')) { New-Listed @('--man show the man page') 'ParameterName' }
        elseif ($helping) {
            if ($given -eq 0) {
                New-Listed @($place.Commands | Where-Object { $_ -and $_ -notlike 'help *' }) 'Command'
                if ($path -eq '' -and $manual) {
                    New-Listed @('config Configuration files, profiles and settings') 'ParameterValue'
                }
                elseif ($path -eq '') { New-Listed $topics 'ParameterValue' }
            }
        }
        elseif ($null -ne $pending) { Get-Values $pending '' }
        elseif (-not $ended -and $current -cmatch '^(--[^=]+)=') {
            Get-Values (Get-Kind $Matches[1]) "$($Matches[1])="
        }
        elseif (-not $ended -and $current.StartsWith('-')) { New-Listed $place.Flags 'ParameterName' }
        elseif ($ended -or -not $place.Commands) {
            $kind = Get-OperandKind
            if ($kind -eq ':flags') { New-Listed $place.Flags 'ParameterName' } else { Get-Values $kind '' }
        }
        elseif ($given -eq 0) {
            New-Listed $place.Commands 'Command'
            if ($path -eq '') { Get-Values ':live' '' }
        }
    )
    # Without any answer PowerShell would offer files.
    if ($candidates) { $candidates } else { '' }
}
