# Completion of lanyard for bash 5. Written by "npm run generate"; do not edit.
#
# Add to ~/.bashrc: source <(lanyard completion bash)

# Says what may stand after a command: sets $commands, $flags and $operands for the command path $1.
#
# A flag is NAMES, or NAMES=KIND when it takes a value. A KIND is what completes a value: :file, :directory,
# :profile, :command (a command line of its own), :live (listed by a service), choices (a|b|c), or nothing for
# free text. Operands are KINDs in order; "-" is free text, and "..." says that the last one may repeat.
_lanyard_at() {
  local service="--address= --curl --skip-verify"
  local namespace="-n,--namespace=:live"
  local writes="--dry-run"
  local out="--out=:file"
  local result="--env-prefix= --field=:live --select="
  local every="
    -p,--profile=:profile -o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env --timeout=
    -y,--yes --no-input -q,--quiet -v,--verbose --debug=:file --no-color -h,--help
  "
  commands='' flags='' operands=()
  case $1 in
  '')
    commands='quickstart dev run render ci plan diff apply export import validate login logout status ssh kv secrets acl query txn registry chain discovery-chain box scheduler namespace var wait account profile alias plugin api schema completion help'
    flags="-V,--version $service $namespace $writes $out $result $every"
    ;;
  'quickstart')
    flags="$every"
    ;;
  'dev')
    commands='run'
    flags="
      --data=:directory --port= --uninitialized --audit-log=:file --audit-option= --datacenters=
      --round-trip= --standby= --after-start= --password=:file --two-factor --rate-limit=
      --openapi=secrets|registry|box|scheduler|accounts $out $result $every
    "
    ;;
  'dev run')
    operands=(':command...')
    flags="--datacenters= --round-trip= --rate-limit= $every"
    ;;
  'run')
    operands=(':command...')
    flags="
      --var=:live --kv=:live --key=:live --creds=:live --template=:file --prefix= --upper --allow-name=
      --watch=restart|exit|none --files --debounce= --splay= --interval=
      --kill-signal=HUP|INT|QUIT|TERM|USR1|USR2|WINCH|CONT|ALRM|KILL --kill-timeout= $service $namespace
      $every
    "
    ;;
  'render')
    operands=(':file...')
    flags="
      --mode= --owner= -w,--watch --exec= --signal= --pid-file=:file --debounce= --interval= $writes $out
      $result $every
    "
    ;;
  'ci')
    commands='export'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ci export')
    flags="
      --kv=:live --var=:live --key=:live --read=:live --env --allow-name= --file=:file --force
      --ignore-not-found --ci=github|gitlab $service $namespace $writes $out $result $every
    "
    ;;
  'plan')
    operands=(':file...')
    flags="
      --out=:file --force --service=secrets|registry|box|scheduler|accounts
      --kind=secrets.mount|secrets.auth-method|secrets.auth-config|secrets.auth-role|secrets.token-role|secrets.policy|secrets.ssh-ca|secrets.ssh-issuer|secrets.ssh-role|secrets.ssh-zero-address|secrets.kv|secrets.kv-metadata|secrets.kv-config|registry.policy|registry.role|registry.token|registry.auth-method|registry.binding-rule|registry.config-entry|registry.query|registry.key|scheduler.namespace|scheduler.policy|scheduler.role|scheduler.token|scheduler.variable|box.box|box.version|box.provider|box.release|accounts.scope|accounts.auth-method|accounts.account|accounts.user|accounts.role
      --name= --adopt --take-over --prune --prune-max= --prune-all --allow-unknown --allow-unknown-fields
      --allow-outside --identity=:file --passphrase=:file --unmanaged --ignore= --show-secrets --exit-zero
      -p,--profile=:profile -o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env|markdown
      --timeout= -y,--yes --no-input -q,--quiet -v,--verbose --debug=:file --no-color -h,--help $namespace
      $result
    "
    ;;
  'diff')
    operands=(':file...')
    flags="
      --out=:file --force --service=secrets|registry|box|scheduler|accounts
      --kind=secrets.mount|secrets.auth-method|secrets.auth-config|secrets.auth-role|secrets.token-role|secrets.policy|secrets.ssh-ca|secrets.ssh-issuer|secrets.ssh-role|secrets.ssh-zero-address|secrets.kv|secrets.kv-metadata|secrets.kv-config|registry.policy|registry.role|registry.token|registry.auth-method|registry.binding-rule|registry.config-entry|registry.query|registry.key|scheduler.namespace|scheduler.policy|scheduler.role|scheduler.token|scheduler.variable|box.box|box.version|box.provider|box.release|accounts.scope|accounts.auth-method|accounts.account|accounts.user|accounts.role
      --name= --adopt --take-over --prune --prune-max= --prune-all --allow-unknown --allow-unknown-fields
      --allow-outside --identity=:file --passphrase=:file --unmanaged --ignore= --show-secrets --exit-zero
      -p,--profile=:profile -o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env|markdown
      --timeout= -y,--yes --no-input -q,--quiet -v,--verbose --debug=:file --no-color -h,--help $namespace
      $result
    "
    ;;
  'apply')
    operands=(':file...')
    flags="
      --saved --dry-run --service=secrets|registry|box|scheduler|accounts
      --kind=secrets.mount|secrets.auth-method|secrets.auth-config|secrets.auth-role|secrets.token-role|secrets.policy|secrets.ssh-ca|secrets.ssh-issuer|secrets.ssh-role|secrets.ssh-zero-address|secrets.kv|secrets.kv-metadata|secrets.kv-config|registry.policy|registry.role|registry.token|registry.auth-method|registry.binding-rule|registry.config-entry|registry.query|registry.key|scheduler.namespace|scheduler.policy|scheduler.role|scheduler.token|scheduler.variable|box.box|box.version|box.provider|box.release|accounts.scope|accounts.auth-method|accounts.account|accounts.user|accounts.role
      --name= --adopt --take-over --prune --prune-max= --prune-all --allow-unknown --allow-unknown-fields
      --allow-outside --parallelism= --continue --undo=:file --undo-recipient= --undo-passphrase=:file
      --force --identity=:file --passphrase=:file --steal-lock --detailed-exit-code $namespace $out
      $result $every
    "
    ;;
  'export')
    operands=(':directory')
    flags="
      --service=secrets|registry|box|scheduler|accounts
      --kind=secrets.mount|secrets.auth-method|secrets.auth-config|secrets.auth-role|secrets.token-role|secrets.policy|secrets.ssh-ca|secrets.ssh-issuer|secrets.ssh-role|secrets.ssh-zero-address|secrets.kv|secrets.kv-metadata|secrets.kv-config|registry.policy|registry.role|registry.token|registry.auth-method|registry.binding-rule|registry.config-entry|registry.query|registry.key|scheduler.namespace|scheduler.policy|scheduler.role|scheduler.token|scheduler.variable|box.box|box.version|box.provider|box.release|accounts.scope|accounts.auth-method|accounts.account|accounts.user|accounts.role
      --secrets=unmanaged|env|file --values --no-targets --check --skip-forbidden $namespace $out $result
      $every
    "
    ;;
  'import')
    operands=('secrets.mount|secrets.auth-method|secrets.auth-config|secrets.auth-role|secrets.token-role|secrets.policy|secrets.ssh-ca|secrets.ssh-issuer|secrets.ssh-role|secrets.ssh-zero-address|secrets.kv|secrets.kv-metadata|secrets.kv-config|registry.policy|registry.role|registry.token|registry.auth-method|registry.binding-rule|registry.config-entry|registry.query|registry.key|scheduler.namespace|scheduler.policy|scheduler.role|scheduler.token|scheduler.variable|box.box|box.version|box.provider|box.release|accounts.scope|accounts.auth-method|accounts.account|accounts.user|accounts.role' '-' ':file')
    flags="--secrets=unmanaged|env|file --values --force $namespace $out $result $every"
    ;;
  'validate')
    operands=(':file...')
    flags="--allow-unknown-fields --init --schema $out $result $every"
    ;;
  'login')
    operands=('secrets|registry|box|scheduler|accounts...')
    flags="$writes $out $result $every"
    ;;
  'logout')
    operands=('secrets|registry|box|scheduler|accounts...')
    flags="$writes $out $result $every"
    ;;
  'status')
    flags="--check -w,--watch --interval= $out $result $every"
    ;;
  'ssh')
    commands='sign issue creds lookup verify connect doctor config proxy trust host revoke revoked explain history list renew inspect ca issuer record role zero-address tidy'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ssh sign')
    operands=(':live')
    flags="
      --key=:file --principals,--valid-principals= --cert-type=user|host --ttl= --key-id=
      --extension,--extensions= --critical-option,--critical-options= --out=:file --agent --batch=:file
      --concurrency= --if-needed --for-login --record= --mount=:live $service $namespace $writes $result
      $every
    "
    ;;
  'ssh issue')
    operands=(':live')
    flags="
      --key-type=rsa|ed25519|ec --key-bits= --principals,--valid-principals= --cert-type=user|host --ttl=
      --key-id= --extension,--extensions= --critical-option,--critical-options= --out=:file --force
      --record= --mount=:live $service $namespace $writes $result $every
    "
    ;;
  'ssh creds')
    operands=(':live')
    flags="--ip= --username= --mount=:live $service $namespace $writes $out $result $every"
    ;;
  'ssh lookup')
    operands=('-')
    flags="--mount=:live $service $namespace $out $result $every"
    ;;
  'ssh verify')
    operands=(':file')
    flags="--pam --ip= --allowed-cidr= --mount=:live $service $namespace $writes $out $result $every"
    ;;
  'ssh connect')
    operands=('-' '-...')
    flags="
      --role=:live --mode=ca|otp --host-ca=:live --principals= --ttl= --extension= --key=:file --agent-key
      --revoked= --ip= --record= --mount=:live $service $namespace $writes $every
    "
    ;;
  'ssh doctor')
    operands=('-' '-...')
    flags="
      --role=:live --mode=ca|otp --host-ca=:live --principals= --ttl= --extension= --key=:file --agent-key
      --revoked= --ip= --record= --mount=:live --log=:file --sshd-config=:file $service $namespace $writes
      $out $result $every
    "
    ;;
  'ssh config')
    operands=('-...')
    flags="
      --role=:live --user= --out=:file --install --timeout= --dry-run --record= --mount=:live
      -p,--profile=:profile -o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env -y,--yes
      --no-input -q,--quiet -v,--verbose --debug=:file --no-color -h,--help $service $namespace $result
    "
    ;;
  'ssh proxy')
    operands=('-' '-')
    flags="
      --role=:live --key=:file --principals= --record= --mount=:live $service $namespace $out $result
      $every
    "
    ;;
  'ssh trust')
    flags="
      --hosts= --known-hosts=:file --users=:file --issuer= --bundle=:file --remove= --dry-run
      --mount=:live --revoked=:file --list= --allow-older -w,--watch --interval= $service $namespace $out
      $result $every
    "
    ;;
  'ssh host')
    commands='enroll renew status remove'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ssh host enroll')
    flags="
      --role=:live --mount=:live --principals= --key=:file --user-ca=:live --revoked=
      --method=token|approle|cert|kubernetes --role-id= --wrapped-secret-id=:file --secret-id=:file
      --login-role= --login-path=:live --token-file=:file --timer --no-timer --unit-dir=:file --reload=
      --no-reload --sshd-config=:file --sshd-config-dir=:file $service $namespace $writes $out $result
      $every
    "
    ;;
  'ssh host renew')
    flags="--sshd-config=:file $service $namespace $writes $out $result $every"
    ;;
  'ssh host status')
    flags="--sshd-config=:file --offline $service $namespace $out $result $every"
    ;;
  'ssh host remove')
    flags="--sshd-config=:file $writes $out $result $every"
    ;;
  'ssh revoke')
    operands=(':file...')
    flags="
      --serial= --key-id= --fingerprint= --ca= --mount=:live --user= --record= --audit-log=:file --list=
      $service $namespace $writes $out $result $every
    "
    ;;
  'ssh revoked')
    commands='list check remove'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ssh revoked list')
    flags="--list= $service $namespace $out $result $every"
    ;;
  'ssh revoked check')
    operands=(':file...')
    flags="--list= $service $namespace $out $result $every"
    ;;
  'ssh revoked remove')
    operands=(':file...')
    flags="
      --serial= --key-id= --fingerprint= --ca= --mount=:live --list= $service $namespace $writes $out
      $result $every
    "
    ;;
  'ssh explain')
    operands=(':live')
    flags="
      --key=:file --principals,--valid-principals= --cert-type=user|host --ttl= --key-id=
      --extension,--extensions= --critical-option,--critical-options= --mount=:live $service $namespace
      $out $result $every
    "
    ;;
  'ssh history')
    flags="
      --user= --principal= --role=:live --serial= --key-id= --since= --until= --valid --limit= --record=
      --audit-log=:file $service $namespace $out $result $every
    "
    ;;
  'ssh list')
    operands=(':file...')
    flags="$out $result $every"
    ;;
  'ssh renew')
    operands=(':file...')
    flags="--all $service $namespace $writes $out $result $every"
    ;;
  'ssh inspect')
    operands=(':file')
    flags="--lint --revoked= $service $namespace $out $result $every"
    ;;
  'ssh ca')
    commands='create get public-key delete recover rotate'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ssh ca create')
    flags="
      --key-type=rsa|ec|ed25519|ssh-rsa|ecdsa-sha2-nistp256|ecdsa-sha2-nistp384|ecdsa-sha2-nistp521|ssh-ed25519
      --key-bits= --private-key=:file --public-key=:file --managed-key-name= --managed-key-id=
      --mount=:live $service $namespace $writes $out $result $every
    "
    ;;
  'ssh ca get')
    flags="--snapshot= --mount=:live $service $namespace $out $result $every"
    ;;
  'ssh ca public-key')
    flags="--mount=:live $service $namespace $out $result $every"
    ;;
  'ssh ca delete')
    flags="--mount=:live $service $namespace $writes $out $result $every"
    ;;
  'ssh ca recover')
    flags="--snapshot= --mount=:live $service $namespace $writes $out $result $every"
    ;;
  'ssh ca rotate')
    commands='start trust switch retire rollback status'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ssh ca rotate start')
    flags="
      --key-type=rsa|ec|ed25519|ssh-rsa|ecdsa-sha2-nistp256|ecdsa-sha2-nistp384|ecdsa-sha2-nistp521|ssh-ed25519
      --key-bits= --private-key=:file --public-key=:file --mount=:live $service $namespace $writes $out
      $result $every
    "
    ;;
  'ssh ca rotate trust')
    flags="--mount=:live $service $namespace $out $result $every"
    ;;
  'ssh ca rotate switch')
    flags="--mount=:live $service $namespace $writes $out $result $every"
    ;;
  'ssh ca rotate retire')
    flags="--force --mount=:live $service $namespace $writes $out $result $every"
    ;;
  'ssh ca rotate rollback')
    flags="--delete --mount=:live $service $namespace $writes $out $result $every"
    ;;
  'ssh ca rotate status')
    flags="--mount=:live $service $namespace $out $result $every"
    ;;
  'ssh issuer')
    commands='list get import use delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ssh issuer list')
    flags="--mount=:live $service $namespace $out $result $every"
    ;;
  'ssh issuer get')
    operands=(':live')
    flags="--mount=:live $service $namespace $out $result $every"
    ;;
  'ssh issuer import')
    operands=('-')
    flags="
      --key-type=rsa|ec|ed25519|ssh-rsa|ecdsa-sha2-nistp256|ecdsa-sha2-nistp384|ecdsa-sha2-nistp521|ssh-ed25519
      --key-bits= --private-key=:file --public-key=:file --default --mount=:live $service $namespace
      $writes $out $result $every
    "
    ;;
  'ssh issuer use')
    operands=(':live')
    flags="--mount=:live $service $namespace $writes $out $result $every"
    ;;
  'ssh issuer delete')
    operands=(':live')
    flags="--mount=:live $service $namespace $writes $out $result $every"
    ;;
  'ssh record')
    commands='prune'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ssh record prune')
    flags="--before= --record= $service $namespace $writes $out $result $every"
    ;;
  'ssh role')
    commands='list get put copy edit delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ssh role list')
    flags="--mount=:live $service $namespace $out $result $every"
    ;;
  'ssh role get')
    operands=(':live')
    flags="--mount=:live $service $namespace $out $result $every"
    ;;
  'ssh role put')
    operands=(':live')
    flags="
      --key-type=ca|otp --allow-user-certificates --allow-host-certificates --allowed-users=
      --allowed-users-template --default-user= --default-user-template --allowed-domains=
      --allowed-domains-template --allow-bare-domains --allow-subdomains --allow-empty-principals --ttl=
      --max-ttl= --not-before-duration= --default-extension,--default-extensions=
      --default-extensions-template --allowed-extensions=
      --default-critical-option,--default-critical-options= --allowed-critical-options=
      --allow-user-key-ids --key-id-format= --allowed-user-key-length,--allowed-user-key-lengths=
      --algorithm-signer=default|ssh-rsa|rsa-sha2-256|rsa-sha2-512 --issuer-ref=:live
      --allow-commas-in-identity-templates --cidr-list= --exclude-cidr-list= --port=
      --unset=allow-user-certificates|allow-host-certificates|allowed-users|allowed-users-template|default-user|default-user-template|allowed-domains|allowed-domains-template|allow-bare-domains|allow-subdomains|allow-empty-principals|ttl|max-ttl|not-before-duration|default-extension|default-extensions-template|allowed-extensions|default-critical-option|allowed-critical-options|allow-user-key-ids|key-id-format|allowed-user-key-length|algorithm-signer|issuer-ref|allow-commas-in-identity-templates|cidr-list|exclude-cidr-list|port
      --replace --mount=:live $service $namespace $writes $out $result $every
    "
    ;;
  'ssh role copy')
    operands=(':live' '-')
    flags="--to-mount=:live --mount=:live $service $namespace $writes $out $result $every"
    ;;
  'ssh role edit')
    operands=(':live')
    flags="--mount=:live $service $namespace $writes $out $result $every"
    ;;
  'ssh role delete')
    operands=(':live')
    flags="--mount=:live $service $namespace $writes $out $result $every"
    ;;
  'ssh zero-address')
    commands='get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ssh zero-address get')
    flags="--mount=:live $service $namespace $out $result $every"
    ;;
  'ssh zero-address put')
    operands=(':live...')
    flags="--mount=:live $service $namespace $writes $out $result $every"
    ;;
  'ssh zero-address delete')
    flags="--mount=:live $service $namespace $writes $out $result $every"
    ;;
  'ssh tidy')
    flags="--mount=:live $service $namespace $writes $out $result $every"
    ;;
  'kv')
    commands='get put patch edit list copy move search diff export import delete undelete rollback destroy metadata config'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'kv get')
    operands=(':live')
    flags="--version= --mount=:live -w,--watch --interval= $service $namespace $out $result $every"
    ;;
  'kv put')
    operands=(':live' '-...')
    flags="--in=:file --cas= --mount=:live $service $namespace $writes $out $result $every"
    ;;
  'kv patch')
    operands=(':live' '-...')
    flags="
      --in=:file --remove,--remove-data= --cas= --method=patch|rw --mount=:live $service $namespace
      $writes $out $result $every
    "
    ;;
  'kv edit')
    operands=(':live')
    flags="--mount=:live $service $namespace $writes $out $result $every"
    ;;
  'kv list')
    operands=(':live')
    flags="--recursive --mount=:live $service $namespace $out $result $every"
    ;;
  'kv copy')
    operands=(':live' ':live')
    flags="
      --recursive --overwrite --all-versions --allow-partial --to-profile=:profile --to-namespace=:live
      --dry-run $service $namespace $out $result $every
    "
    ;;
  'kv move')
    operands=(':live' ':live')
    flags="
      --recursive --overwrite --all-versions --allow-partial --to-profile=:profile --to-namespace=:live
      --dry-run $service $namespace $out $result $every
    "
    ;;
  'kv search')
    operands=('-' ':live')
    flags="
      --values --regex -i,--ignore-case --reveal,--show-values --mount=:live $service $namespace $out
      $result $every
    "
    ;;
  'kv diff')
    operands=(':live' ':live')
    flags="
      --recursive --version= --with-version= --with=:file --with-profile=:profile --with-namespace=:live
      --allow-partial --reveal,--show-values --mount=:live $service $namespace $out $result $every
    "
    ;;
  'kv export')
    operands=(':live' ':file')
    flags="
      --recipient= --passphrase=:file --plain --all-versions --allow-partial --force $service $namespace
      $out $result $every
    "
    ;;
  'kv import')
    operands=(':file' ':live')
    flags="--identity=:file --passphrase=:file --overwrite --dry-run $service $namespace $out $result $every"
    ;;
  'kv delete')
    operands=(':live')
    flags="--versions= --mount=:live $service $namespace $writes $out $result $every"
    ;;
  'kv undelete')
    operands=(':live')
    flags="--versions= --mount=:live $service $namespace $writes $out $result $every"
    ;;
  'kv rollback')
    operands=(':live')
    flags="--version= --mount=:live $service $namespace $writes $out $result $every"
    ;;
  'kv destroy')
    operands=(':live')
    flags="--versions= --mount=:live $service $namespace $writes $out $result $every"
    ;;
  'kv metadata')
    commands='get put patch delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'kv metadata get')
    operands=(':live')
    flags="--mount=:live $service $namespace $out $result $every"
    ;;
  'kv metadata put')
    operands=(':live')
    flags="
      --max-versions= --cas-required=true|false --delete-version-after= --custom-metadata=
      --unset=max-versions|cas-required|delete-version-after|custom-metadata --mount=:live $service
      $namespace $writes $out $result $every
    "
    ;;
  'kv metadata patch')
    operands=(':live')
    flags="
      --max-versions= --cas-required=true|false --delete-version-after= --custom-metadata=
      --remove-custom-metadata= --method=patch|rw --mount=:live $service $namespace $writes $out $result
      $every
    "
    ;;
  'kv metadata delete')
    operands=(':live')
    flags="--mount=:live $service $namespace $writes $out $result $every"
    ;;
  'kv config')
    commands='get put'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'kv config get')
    operands=('-')
    flags="$service $namespace $out $result $every"
    ;;
  'kv config put')
    operands=('-')
    flags="
      --max-versions= --cas-required=true|false --delete-version-after=
      --unset=max-versions|cas-required|delete-version-after $service $namespace $writes $out $result
      $every
    "
    ;;
  'secrets')
    commands='read write patch list delete creds help mount auth policy token lease unwrap snapshot namespace status login logout init unseal seal'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets read')
    operands=(':live')
    flags="--wrap-ttl= $service $namespace $out $result $every"
    ;;
  'secrets write')
    operands=(':live' '-...')
    flags="--in=:file --wrap-ttl= $service $namespace $writes $out $result $every"
    ;;
  'secrets patch')
    operands=(':live' '-...')
    flags="--in=:file $service $namespace $writes $out $result $every"
    ;;
  'secrets list')
    operands=(':live')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets delete')
    operands=(':live')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets creds')
    operands=(':live' '-...')
    flags="
      --common-name= --alt-names= --ttl= --cert-out=:file --key-out=:file --force $service $namespace
      $writes $out $result $every
    "
    ;;
  'secrets help')
    operands=(':live')
    flags="--openapi $service $namespace $out $result $every"
    ;;
  'secrets mount')
    commands='list get enable tune move disable'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets mount list')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets mount get')
    operands=(':live')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets mount enable')
    operands=('-')
    flags="
      --version= --path= --description= --option,--options= --default-lease-ttl= --max-lease-ttl=
      --listing-visibility=hidden|unauth --audit-non-hmac-request-keys,--audit-non-hmac-request-key=
      --audit-non-hmac-response-keys,--audit-non-hmac-response-key= --passthrough-request-headers=
      --allowed-response-headers= --local --seal-wrap --plugin-version= $service $namespace $writes $out
      $result $every
    "
    ;;
  'secrets mount tune')
    operands=(':live')
    flags="
      --description= --option,--options= --default-lease-ttl= --max-lease-ttl=
      --listing-visibility=hidden|unauth --audit-non-hmac-request-keys,--audit-non-hmac-request-key=
      --audit-non-hmac-response-keys,--audit-non-hmac-response-key= --passthrough-request-headers=
      --allowed-response-headers=
      --unset=description|default-lease-ttl|max-lease-ttl|listing-visibility|audit-non-hmac-request-keys|audit-non-hmac-response-keys|passthrough-request-headers|allowed-response-headers
      $service $namespace $writes $out $result $every
    "
    ;;
  'secrets mount move')
    operands=(':live' '-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets mount disable')
    operands=(':live')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets auth')
    commands='list get enable tune move disable role'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets auth list')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets auth get')
    operands=(':live')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets auth enable')
    operands=('-')
    flags="
      --path= --description= --option,--options= --default-lease-ttl= --max-lease-ttl=
      --listing-visibility=hidden|unauth --audit-non-hmac-request-keys,--audit-non-hmac-request-key=
      --audit-non-hmac-response-keys,--audit-non-hmac-response-key= --passthrough-request-headers=
      --allowed-response-headers= --token-type=default-service|default-batch|service|batch --local
      --seal-wrap --plugin-version= $service $namespace $writes $out $result $every
    "
    ;;
  'secrets auth tune')
    operands=(':live')
    flags="
      --description= --option,--options= --default-lease-ttl= --max-lease-ttl=
      --listing-visibility=hidden|unauth --audit-non-hmac-request-keys,--audit-non-hmac-request-key=
      --audit-non-hmac-response-keys,--audit-non-hmac-response-key= --passthrough-request-headers=
      --allowed-response-headers= --token-type=default-service|default-batch|service|batch
      --unset=description|default-lease-ttl|max-lease-ttl|listing-visibility|audit-non-hmac-request-keys|audit-non-hmac-response-keys|passthrough-request-headers|allowed-response-headers|token-type
      $service $namespace $writes $out $result $every
    "
    ;;
  'secrets auth move')
    operands=(':live' '-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets auth disable')
    operands=(':live')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets auth role')
    commands='list get put delete id secret-id'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets auth role list')
    operands=(':live')
    flags="--type=approle|jwt|oidc|kubernetes|cert|userpass|token $service $namespace $out $result $every"
    ;;
  'secrets auth role get')
    operands=(':live' ':live')
    flags="--type=approle|jwt|oidc|kubernetes|cert|userpass|token $service $namespace $out $result $every"
    ;;
  'secrets auth role put')
    operands=(':live' ':live')
    flags="
      --token-policies,--policies,--policy=:live --token-ttl,--ttl= --token-max-ttl,--max-ttl=
      --token-period,--period= --token-explicit-max-ttl= --token-num-uses= --token-bound-cidrs=
      --token-no-default-policy --token-type=default|service|batch|default-service|default-batch
      --bind-secret-id=true|false --secret-id-ttl= --secret-id-num-uses= --secret-id-bound-cidrs=
      --role-id= --local-secret-ids --role-type=jwt|oidc --user-claim= --bound-audiences= --bound-subject=
      --bound-claim,--bound-claims= --bound-claims-type=string|glob --claim-mapping,--claim-mappings=
      --groups-claim= --oidc-scopes= --allowed-redirect-uri,--allowed-redirect-uris= --max-age=
      --clock-skew-leeway= --bound-service-account-names= --bound-service-account-namespaces=
      --bound-service-account-namespace-selector= --audience=
      --alias-name-source=serviceaccount_uid|serviceaccount_name --certificate=:file --display-name=
      --allowed-common-names= --allowed-dns-sans= --allowed-email-sans= --allowed-uri-sans=
      --allowed-organizational-units= --required-extensions= --password=:file --allowed-policies=:live
      --allowed-policies-glob= --disallowed-policies=:live --disallowed-policies-glob=
      --allowed-entity-aliases= --orphan --renewable=true|false --path-suffix=
      --unset=token-policies|token-ttl|token-max-ttl|token-period|token-explicit-max-ttl|token-num-uses|token-bound-cidrs|token-no-default-policy|secret-id-ttl|secret-id-num-uses|secret-id-bound-cidrs|bound-audiences|bound-subject|bound-claim|bound-claims-type|claim-mapping|groups-claim|oidc-scopes|allowed-redirect-uri|max-age|clock-skew-leeway|bound-service-account-names|bound-service-account-namespaces|bound-service-account-namespace-selector|audience|alias-name-source|display-name|allowed-common-names|allowed-dns-sans|allowed-email-sans|allowed-uri-sans|allowed-organizational-units|required-extensions|allowed-policies|allowed-policies-glob|disallowed-policies|disallowed-policies-glob|allowed-entity-aliases|orphan|path-suffix
      --in=:file --type=approle|jwt|oidc|kubernetes|cert|userpass|token $service $namespace $writes $out
      $result $every
    "
    ;;
  'secrets auth role delete')
    operands=(':live' ':live')
    flags="
      --type=approle|jwt|oidc|kubernetes|cert|userpass|token $service $namespace $writes $out $result
      $every
    "
    ;;
  'secrets auth role id')
    operands=(':live' ':live')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets auth role secret-id')
    commands='create list destroy'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets auth role secret-id create')
    operands=(':live' ':live')
    flags="
      --wrap-ttl= --no-wrap --ttl= --use-limit,--num-uses= --metadata= --cidr-list= --token-bound-cidrs=
      $service $namespace $writes $out $result $every
    "
    ;;
  'secrets auth role secret-id list')
    operands=(':live' ':live')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets auth role secret-id destroy')
    operands=(':live' ':live' '-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets policy')
    commands='list check put get delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets policy list')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets policy check')
    operands=(':file')
    flags="$out $result $every"
    ;;
  'secrets policy put')
    operands=(':live' ':file')
    flags="--no-check --replace $service $namespace $writes $out $result $every"
    ;;
  'secrets policy get')
    operands=(':live')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets policy delete')
    operands=(':live')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets token')
    commands='create list self lookup renew keep-alive capabilities revoke'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets token create')
    flags="
      --policy,--policies=:live --ttl= --period= --explicit-max-ttl= --use-limit,--num-uses= --orphan
      --no-default-policy --not-renewable --type=service|batch --role= --display-name= --metadata,--meta=
      --entity-alias= --id=:file --wrap-ttl= $service $namespace $writes $out $result $every
    "
    ;;
  'secrets token list')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets token self')
    flags="--show-token $service $namespace $out $result $every"
    ;;
  'secrets token lookup')
    operands=(':file')
    flags="--accessor= $service $namespace $out $result $every"
    ;;
  'secrets token renew')
    operands=(':file')
    flags="--accessor= --increment= $service $namespace $writes $out $result $every"
    ;;
  'secrets token keep-alive')
    operands=(':command...')
    flags="--increment= $service $namespace $every"
    ;;
  'secrets token capabilities')
    operands=('-...')
    flags="--token=:file --accessor= $service $namespace $out $result $every"
    ;;
  'secrets token revoke')
    operands=(':file')
    flags="--accessor= --self --mode=tree|orphan $service $namespace $writes $out $result $every"
    ;;
  'secrets lease')
    commands='list lookup renew revoke'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets lease list')
    operands=('-')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets lease lookup')
    operands=('-')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets lease renew')
    operands=('-')
    flags="--increment= $service $namespace $writes $out $result $every"
    ;;
  'secrets lease revoke')
    operands=('-')
    flags="--prefix --force --sync $service $namespace $writes $out $result $every"
    ;;
  'secrets unwrap')
    operands=(':file')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets snapshot')
    commands='save restore inspect'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets snapshot save')
    operands=(':file')
    flags="--force $service $namespace $out $result $every"
    ;;
  'secrets snapshot restore')
    operands=(':file')
    flags="--force $service $namespace $writes $out $result $every"
    ;;
  'secrets snapshot inspect')
    operands=(':file')
    flags="$out $result $every"
    ;;
  'secrets namespace')
    commands='list get create update delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets namespace list')
    flags="--recursive $service $namespace $out $result $every"
    ;;
  'secrets namespace get')
    operands=(':live')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets namespace create')
    operands=(':live')
    flags="--custom-metadata= $service $namespace $writes $out $result $every"
    ;;
  'secrets namespace update')
    operands=(':live')
    flags="--custom-metadata= --remove-custom-metadata= $service $namespace $writes $out $result $every"
    ;;
  'secrets namespace delete')
    operands=(':live')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets status')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets login')
    operands=(':file')
    flags="
      --method=token|userpass|ldap|approle|jwt|kubernetes|cert|oidc --token=:file --username=
      --password=:file --role-id= --secret-id=:file --role= --jwt=:file --callback-port= --no-browser
      --wait= --path=:live --no-store $service $namespace $writes $out $result $every
    "
    ;;
  'secrets logout')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets init')
    flags="
      --secret-shares,--shares= --secret-threshold,--threshold= $service $namespace $writes $out $result
      $every
    "
    ;;
  'secrets unseal')
    operands=(':file')
    flags="--reset --nonce= $service $namespace $writes $out $result $every"
    ;;
  'secrets seal')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl')
    commands='bootstrap login logout explain can policy token role auth-method binding-rule templated-policy oidc replication translate-rules'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl bootstrap')
    flags="--secret=:file --store $service $namespace $writes $out $result $every"
    ;;
  'acl login')
    flags="
      --method=:live --bearer-token=:file --meta= --oidc --callback-port= --no-browser --wait= --no-store
      --dc,--datacenter=:live $service $namespace $writes $out $result $every
    "
    ;;
  'acl logout')
    flags="--dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'acl explain')
    operands=(':live')
    flags="--dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'acl can')
    operands=('-' '-')
    flags="--token=:live --dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'acl policy')
    commands='list get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl policy list')
    flags="--dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'acl policy get')
    operands=(':live')
    flags="--dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'acl policy put')
    operands=(':live')
    flags="
      --rules=:file --no-check --description= --valid-datacenter,--valid-datacenters=
      --unset=description|valid-datacenter --name= --dc,--datacenter=:live $service $namespace $writes
      $out $result $every
    "
    ;;
  'acl policy delete')
    operands=(':live')
    flags="--dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'acl token')
    commands='list get self create update clone delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl token list')
    flags="
      --policy=:live --role=:live --auth-method=:live --dc,--datacenter=:live $service $namespace $out
      $result $every
    "
    ;;
  'acl token get')
    operands=(':live')
    flags="--expanded --show-secret --dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'acl token self')
    flags="--show-secret --dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'acl token create')
    flags="
      --policy,--policy-name,--policy-id=:live --service-identity= --node-identity= --templated-policy=
      --role,--role-name,--role-id=:live --description= --ttl,--expires-ttl= --expires-at= --local
      --dc,--datacenter=:live --accessor= --secret=:file $service $namespace $writes $out $result $every
    "
    ;;
  'acl token update')
    operands=(':live')
    flags="
      --description= --policy,--policy-name,--policy-id=:live
      --add-policy,--append-policy-name,--append-policy-id=:live --remove-policy=:live --service-identity=
      --add-service-identity= --remove-service-identity= --node-identity= --add-node-identity=
      --remove-node-identity= --templated-policy= --add-templated-policy= --remove-templated-policy=
      --role,--role-name,--role-id=:live --add-role,--append-role-name,--append-role-id=:live
      --remove-role=:live --unset=description|policy|service-identity|node-identity|templated-policy|role
      --dc,--datacenter=:live $service $namespace $writes $out $result $every
    "
    ;;
  'acl token clone')
    operands=(':live')
    flags="--description= --dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'acl token delete')
    operands=(':live')
    flags="--dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'acl role')
    commands='list get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl role list')
    flags="--dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'acl role get')
    operands=(':live')
    flags="--dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'acl role put')
    operands=(':live')
    flags="
      --description= --policy,--policy-name,--policy-id=:live
      --add-policy,--append-policy-name,--append-policy-id=:live --remove-policy=:live --service-identity=
      --add-service-identity= --remove-service-identity= --node-identity= --add-node-identity=
      --remove-node-identity= --templated-policy= --add-templated-policy= --remove-templated-policy=
      --unset=description|policy|service-identity|node-identity|templated-policy --name=
      --dc,--datacenter=:live $service $namespace $writes $out $result $every
    "
    ;;
  'acl role delete')
    operands=(':live')
    flags="--dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'acl auth-method')
    commands='list get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl auth-method list')
    flags="--dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'acl auth-method get')
    operands=(':live')
    flags="--dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'acl auth-method put')
    operands=(':live')
    flags="
      --type=jwt|oidc|kubernetes|aws-iam --display-name= --description= --max-token-ttl=
      --token-locality=local|global --config=:file --in=:file --jwt-validation-pub-key=:file --jwks-url=
      --oidc-discovery-url= --bound-issuer= --bound-audience,--bound-audiences=
      --jwt-supported-alg,--jwt-supported-algs= --claim-mapping= --list-claim-mapping= --oidc-client-id=
      --oidc-client-secret=:file --allowed-redirect-uri,--allowed-redirect-uris= --kubernetes-host=
      --kubernetes-ca-cert=:file --kubernetes-service-account-jwt=:file
      --unset=display-name|description|max-token-ttl|jwks-url|oidc-discovery-url|bound-issuer|bound-audience|jwt-supported-alg|claim-mapping|list-claim-mapping|oidc-client-id|allowed-redirect-uri|kubernetes-host|kubernetes-ca-cert
      --dc,--datacenter=:live $service $namespace $writes $out $result $every
    "
    ;;
  'acl auth-method delete')
    operands=(':live')
    flags="--dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'acl binding-rule')
    commands='list get create update delete test'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl binding-rule list')
    flags="--method=:live --dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'acl binding-rule get')
    operands=(':live')
    flags="--dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'acl binding-rule create')
    flags="
      --method=:live --bind-type=service|node|role|policy|templated-policy --bind-name= --bind-var=
      --selector= --description= --dc,--datacenter=:live $service $namespace $writes $out $result $every
    "
    ;;
  'acl binding-rule update')
    operands=(':live')
    flags="
      --bind-type=service|node|role|policy|templated-policy --bind-name= --bind-var= --selector=
      --description= --unset=bind-var|selector|description --dc,--datacenter=:live $service $namespace
      $writes $out $result $every
    "
    ;;
  'acl binding-rule delete')
    operands=(':live')
    flags="--dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'acl binding-rule test')
    flags="
      --method=:live --claims=:file --bearer-token=:file --selector=
      --bind-type=service|node|role|policy|templated-policy --bind-name= --claim-mapping=
      --list-claim-mapping= --dc,--datacenter=:live $service $namespace $out $result $every
    "
    ;;
  'acl templated-policy')
    commands='list get preview'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl templated-policy list')
    flags="$service $namespace $out $result $every"
    ;;
  'acl templated-policy get')
    operands=('builtin/service|builtin/node|builtin/dns|builtin/nomad-server|builtin/nomad-client|builtin/api-gateway')
    flags="$service $namespace $out $result $every"
    ;;
  'acl templated-policy preview')
    operands=('builtin/service|builtin/node|builtin/dns|builtin/nomad-server|builtin/nomad-client|builtin/api-gateway')
    flags="--name= $service $namespace $out $result $every"
    ;;
  'acl oidc')
    commands='auth-url callback'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl oidc auth-url')
    flags="
      --method=:live --redirect-uri= --client-nonce=:file --meta= --dc,--datacenter=:live $service
      $namespace $writes $out $result $every
    "
    ;;
  'acl oidc callback')
    flags="
      --method=:live --state= --code=:file --client-nonce=:file --meta= --no-store --dc,--datacenter=:live
      $service $namespace $writes $out $result $every
    "
    ;;
  'acl replication')
    flags="--dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'acl translate-rules')
    operands=(':file')
    flags="--accessor= $service $namespace $out $result $every"
    ;;
  'query')
    commands='list get create update put delete edit exec explain'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'query list')
    flags="--dc,--datacenter=:live --stale --consistent $service $namespace $out $result $every"
    ;;
  'query get')
    operands=(':live')
    flags="--dc,--datacenter=:live --stale --consistent $service $namespace $out $result $every"
    ;;
  'query create')
    operands=('-')
    flags="
      --name= --service=:live --service-namespace= --near=:live --only-passing --tag,--tags= --node-meta=
      --service-meta= --connect --ignore-check,--ignore-check-ids=
      --failover-nearest,--failover-nearest-n= --failover-datacenter,--failover-datacenters=
      --failover-target,--failover-targets= --session=:live --token=:file --dns-ttl=
      --template=name_prefix_match --regexp= --remove-empty-tags --file=:file --dc,--datacenter=:live
      $service $namespace $writes $out $result $every
    "
    ;;
  'query update')
    operands=(':live')
    flags="
      --name= --service=:live --service-namespace= --near=:live --only-passing --tag,--tags= --node-meta=
      --service-meta= --connect --ignore-check,--ignore-check-ids=
      --failover-nearest,--failover-nearest-n= --failover-datacenter,--failover-datacenters=
      --failover-target,--failover-targets= --session=:live --token=:file --dns-ttl=
      --template=name_prefix_match --regexp= --remove-empty-tags
      --unset=service-namespace|near|only-passing|tag|node-meta|service-meta|connect|ignore-check|failover-nearest|failover-datacenter|failover-target|session|token|dns-ttl|regexp|remove-empty-tags
      --file=:file --replace --dc,--datacenter=:live $service $namespace $writes $out $result $every
    "
    ;;
  'query put')
    operands=(':live')
    flags="
      --name= --service=:live --service-namespace= --near=:live --only-passing --tag,--tags= --node-meta=
      --service-meta= --connect --ignore-check,--ignore-check-ids=
      --failover-nearest,--failover-nearest-n= --failover-datacenter,--failover-datacenters=
      --failover-target,--failover-targets= --session=:live --token=:file --dns-ttl=
      --template=name_prefix_match --regexp= --remove-empty-tags
      --unset=service-namespace|near|only-passing|tag|node-meta|service-meta|connect|ignore-check|failover-nearest|failover-datacenter|failover-target|session|token|dns-ttl|regexp|remove-empty-tags
      --file=:file --replace --dc,--datacenter=:live --dry-run $service $namespace $out $result $every
    "
    ;;
  'query delete')
    operands=(':live')
    flags="--dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'query edit')
    operands=(':live')
    flags="--dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'query exec')
    operands=(':live')
    flags="
      --near=:live --limit= --connect --format=hosts|ssh-config|prometheus-sd|addr --dc,--datacenter=:live
      --stale --consistent -w,--watch --interval= $service $namespace $out $result $every
    "
    ;;
  'query explain')
    operands=(':live')
    flags="--dc,--datacenter=:live --stale --consistent $service $namespace $out $result $every"
    ;;
  'txn')
    commands='apply check'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'txn apply')
    operands=(':file')
    flags="
      --stale --consistent --chunk= --undo=:file --dc,--datacenter=:live $service $namespace $writes $out
      $result $every
    "
    ;;
  'txn check')
    operands=(':file')
    flags="$out $result $every"
    ;;
  'registry')
    commands='service node kv config session member datacenter maintenance snapshot lock'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry service')
    commands='list get register deregister'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry service list')
    flags="--filter= --stale --consistent --dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'registry service get')
    operands=(':live')
    flags="
      --passing --tag= --filter= --near=:live --stale --consistent --dc,--datacenter=:live -w,--watch
      --interval= $service $namespace $out $result $every
    "
    ;;
  'registry service register')
    operands=('-')
    flags="
      --in=:file --id= --address,--service-address= --port= --tag= --meta= --check-ttl= --curl
      --skip-verify $namespace $writes $out $result $every
    "
    ;;
  'registry service deregister')
    operands=(':live')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry node')
    commands='list get'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry node list')
    flags="
      --filter= --near=:live --stale --consistent --dc,--datacenter=:live $service $namespace $out $result
      $every
    "
    ;;
  'registry node get')
    operands=(':live')
    flags="--stale --consistent --dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'registry kv')
    commands='get list put delete export import'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry kv get')
    operands=(':live')
    flags="
      --recursive --stale --consistent --dc,--datacenter=:live -w,--watch --interval= $service $namespace
      $out $result $every
    "
    ;;
  'registry kv list')
    operands=(':live')
    flags="
      --recursive --separator= --stale --consistent --dc,--datacenter=:live $service $namespace $out
      $result $every
    "
    ;;
  'registry kv put')
    operands=(':live' '-')
    flags="
      --cas= --flags= --base64 --acquire=:live --release=:live --dc,--datacenter=:live $service $namespace
      $writes $out $result $every
    "
    ;;
  'registry kv delete')
    operands=(':live')
    flags="--recursive --cas= --dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'registry kv export')
    operands=(':live')
    flags="
      --out=:file --force --allow-partial --stale --consistent --dc,--datacenter=:live $service $namespace
      $result $every
    "
    ;;
  'registry kv import')
    operands=(':file')
    flags="--prefix= --dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'registry config')
    commands='list get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry config list')
    operands=('proxy-defaults|service-defaults|service-router|service-splitter|service-resolver|service-intentions|mesh|exported-services|sameness-group|jwt-provider|ingress-gateway|terminating-gateway|api-gateway|bound-api-gateway|http-route|tcp-route|inline-certificate|file-system-certificate|control-plane-request-limit')
    flags="--dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'registry config get')
    operands=('proxy-defaults|service-defaults|service-router|service-splitter|service-resolver|service-intentions|mesh|exported-services|sameness-group|jwt-provider|ingress-gateway|terminating-gateway|api-gateway|bound-api-gateway|http-route|tcp-route|inline-certificate|file-system-certificate|control-plane-request-limit' ':live')
    flags="--dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'registry config put')
    operands=(':file')
    flags="--cas= --replace --dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'registry config delete')
    operands=('proxy-defaults|service-defaults|service-router|service-splitter|service-resolver|service-intentions|mesh|exported-services|sameness-group|jwt-provider|ingress-gateway|terminating-gateway|api-gateway|bound-api-gateway|http-route|tcp-route|inline-certificate|file-system-certificate|control-plane-request-limit' ':live')
    flags="--cas= --dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'registry session')
    commands='list get create delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry session list')
    flags="--node=:live --dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'registry session get')
    operands=(':live')
    flags="--dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'registry session create')
    flags="
      --name= --ttl= --lock-delay= --behavior=release|delete --node=:live --node-check= --service-check=
      --dc,--datacenter=:live $service $namespace $writes $out $result $every
    "
    ;;
  'registry session delete')
    operands=(':live')
    flags="--dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'registry member')
    commands='list'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry member list')
    flags="
      --wan --segment= --state=none|alive|leaving|left|failed --filter= $service $namespace $out $result
      $every
    "
    ;;
  'registry datacenter')
    commands='list'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry datacenter list')
    flags="$service $namespace $out $result $every"
    ;;
  'registry maintenance')
    commands='get enable disable'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry maintenance get')
    flags="--service=:live $service $namespace $out $result $every"
    ;;
  'registry maintenance enable')
    flags="--service=:live --reason= $service $namespace $writes $out $result $every"
    ;;
  'registry maintenance disable')
    flags="--service=:live $service $namespace $writes $out $result $every"
    ;;
  'registry snapshot')
    commands='save restore inspect'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry snapshot save')
    operands=(':file')
    flags="--force --stale --dc,--datacenter=:live $service $namespace $out $result $every"
    ;;
  'registry snapshot restore')
    operands=(':file')
    flags="--dc,--datacenter=:live $service $namespace $writes $out $result $every"
    ;;
  'registry snapshot inspect')
    operands=(':file')
    flags="$out $result $every"
    ;;
  'registry lock')
    operands=(':live' ':command...')
    flags="
      --wait= --ttl= --grace= --lock-delay= --name= --node=:live --dc,--datacenter=:live $service
      $namespace $writes $every
    "
    ;;
  'chain')
    commands='get'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'chain get')
    operands=(':live')
    flags="
      --compile-dc= --override-protocol=tcp|http|http2|grpc --override-connect-timeout=
      --override-mesh-gateway=none|local|remote --format=dot|mermaid --diff --dc,--datacenter=:live
      -w,--watch --interval= $service $namespace $out $result $every
    "
    ;;
  'discovery-chain')
    commands='get'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'discovery-chain get')
    operands=(':live')
    flags="
      --compile-dc= --override-protocol=tcp|http|http2|grpc --override-connect-timeout=
      --override-mesh-gateway=none|local|remote --format=dot|mermaid --diff --dc,--datacenter=:live
      -w,--watch --interval= $service $namespace $out $result $every
    "
    ;;
  'box')
    commands='list search get create update delete version upload publish download release revoke provider token request-code org'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'box list')
    operands=(':live')
    flags="$service $out $result $every"
    ;;
  'box search')
    operands=('-')
    flags="
      --provider= --sort=downloads|created|updated --order=desc|asc --limit= --page= --all $service $out
      $result $every
    "
    ;;
  'box get')
    operands=(':live')
    flags="$service $out $result $every"
    ;;
  'box create')
    operands=(':live')
    flags="--private --public --short-description= --description=:file $service $writes $out $result $every"
    ;;
  'box update')
    operands=(':live')
    flags="
      --private --public --short-description= --description=:file --unset=short-description|description
      --name= $service $writes $out $result $every
    "
    ;;
  'box delete')
    operands=(':live')
    flags="$service $writes $out $result $every"
    ;;
  'box version')
    commands='get create update delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'box version get')
    operands=(':live' ':live')
    flags="$service $out $result $every"
    ;;
  'box version create')
    operands=(':live' ':live')
    flags="--description=:file $service $writes $out $result $every"
    ;;
  'box version update')
    operands=(':live' ':live')
    flags="--description=:file --unset=description --number= $service $writes $out $result $every"
    ;;
  'box version delete')
    operands=(':live' ':live')
    flags="$service $writes $out $result $every"
    ;;
  'box upload')
    operands=(':live' ':live' ':live' ':file')
    flags="
      --checksum-type=md5|sha1|sha256|sha384|sha512
      --architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown $service
      $writes $out $result $every
    "
    ;;
  'box publish')
    operands=(':live' ':live' ':live' ':file')
    flags="
      --private --public --short-description= --description=:file --version-description=:file --url=
      --checksum= --checksum-type=md5|sha1|sha256|sha384|sha512
      --architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown
      --no-release $service $writes $out $result $every
    "
    ;;
  'box download')
    operands=(':live' ':live' ':live')
    flags="
      --out=:file --force
      --architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown $service
      $result $every
    "
    ;;
  'box release')
    operands=(':live' ':live')
    flags="$service $writes $out $result $every"
    ;;
  'box revoke')
    operands=(':live' ':live')
    flags="$service $writes $out $result $every"
    ;;
  'box provider')
    commands='get create update delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'box provider get')
    operands=(':live' ':live' ':live')
    flags="
      --architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown $service
      $out $result $every
    "
    ;;
  'box provider create')
    operands=(':live' ':live' ':live')
    flags="
      --url= --checksum= --checksum-type=md5|sha1|sha256|sha384|sha512
      --architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown
      --default-architecture $service $writes $out $result $every
    "
    ;;
  'box provider update')
    operands=(':live' ':live' ':live')
    flags="
      --url= --checksum= --checksum-type=md5|sha1|sha256|sha384|sha512 --name=
      --architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown
      --default-architecture $service $writes $out $result $every
    "
    ;;
  'box provider delete')
    operands=(':live' ':live' ':live')
    flags="
      --architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown $service
      $writes $out $result $every
    "
    ;;
  'box token')
    commands='create check delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'box token create')
    flags="
      --login= --password=:file --code=:file --description= --no-store $service $writes $out $result
      $every
    "
    ;;
  'box token check')
    flags="$service $out $result $every"
    ;;
  'box token delete')
    flags="$service $writes $out $result $every"
    ;;
  'box request-code')
    flags="--login= --password=:file --delivery-method=sms $service $writes $out $result $every"
    ;;
  'box org')
    commands='get create'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'box org get')
    operands=(':live')
    flags="$service $out $result $every"
    ;;
  'box org create')
    operands=('-')
    flags="$service $writes $out $result $every"
    ;;
  'scheduler')
    commands='acl'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'scheduler acl')
    commands='bootstrap policy token role'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'scheduler acl bootstrap')
    flags="--secret=:file --store $service $namespace $writes $out $result $every"
    ;;
  'scheduler acl policy')
    commands='list get put check delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'scheduler acl policy list')
    flags="$service $namespace $out $result $every"
    ;;
  'scheduler acl policy get')
    operands=(':live')
    flags="$service $namespace $out $result $every"
    ;;
  'scheduler acl policy put')
    operands=(':live')
    flags="
      --rules=:file --no-check --description= --job= --unset=description|job $service $namespace $writes
      $out $result $every
    "
    ;;
  'scheduler acl policy check')
    operands=(':file')
    flags="$out $result $every"
    ;;
  'scheduler acl policy delete')
    operands=(':live')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'scheduler acl token')
    commands='list get self create update delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'scheduler acl token list')
    flags="--policy=:live --role=:live --type=client|management $service $namespace $out $result $every"
    ;;
  'scheduler acl token get')
    operands=(':live')
    flags="--show-secret $service $namespace $out $result $every"
    ;;
  'scheduler acl token self')
    flags="--show-secret $service $namespace $out $result $every"
    ;;
  'scheduler acl token create')
    flags="
      --name= --type=client|management --policy=:live --role=:live --global --ttl= --accessor=
      --secret=:file $service $namespace $writes $out $result $every
    "
    ;;
  'scheduler acl token update')
    operands=(':live')
    flags="
      --name= --policy=:live --role=:live --add-policy=:live --remove-policy=:live --add-role=:live
      --remove-role=:live --unset=name|policy|role $service $namespace $writes $out $result $every
    "
    ;;
  'scheduler acl token delete')
    operands=(':live')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'scheduler acl role')
    commands='list get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'scheduler acl role list')
    flags="$service $namespace $out $result $every"
    ;;
  'scheduler acl role get')
    operands=(':live')
    flags="$service $namespace $out $result $every"
    ;;
  'scheduler acl role put')
    operands=(':live')
    flags="
      --description= --policy=:live --unset=description --name= $service $namespace $writes $out $result
      $every
    "
    ;;
  'scheduler acl role delete')
    operands=(':live')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'namespace')
    commands='list get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'namespace list')
    flags="--prefix=:live $service $namespace $out $result $every"
    ;;
  'namespace get')
    operands=(':live')
    flags="$service $namespace $out $result $every"
    ;;
  'namespace put')
    operands=(':live')
    flags="
      --description= --quota= --meta= --unset=description|quota|meta --in=:file $service $namespace
      $writes $out $result $every
    "
    ;;
  'namespace delete')
    operands=(':live')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'var')
    commands='list get put edit diff export import lock delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'var list')
    flags="
      --prefix=:live --filter= --per-page= --next-token= --all -w,--watch --interval= $service $namespace
      $out $result $every
    "
    ;;
  'var get')
    operands=(':live')
    flags="--reveal -w,--watch --interval= $service $namespace $out $result $every"
    ;;
  'var put')
    operands=(':live' ':live...')
    flags="
      --in=:file --format=json|yaml|env|hcl --cas= --force --merge --retry-merge $service $namespace
      $writes $out $result $every
    "
    ;;
  'var edit')
    operands=(':live')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'var diff')
    operands=(':live')
    flags="
      --with=:file --format=json|yaml|env|hcl --with-namespace=:live --prefix=:live --reveal $service
      $namespace $out $result $every
    "
    ;;
  'var export')
    operands=(':directory')
    flags="--prefix=:live --format=json|yaml --force $service $namespace $out $result $every"
    ;;
  'var import')
    operands=(':directory')
    flags="--dry-run $service $namespace $out $result $every"
    ;;
  'var lock')
    operands=(':live' ':command...')
    flags="
      --wait= --ttl= --grace= --lock-delay= --discard-items --env --prefix= --upper --allow-name= $service
      $namespace $writes $every
    "
    ;;
  'var delete')
    operands=(':live')
    flags="--cas= $service $namespace $writes $out $result $every"
    ;;
  'wait')
    commands='service key var kv status secrets'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'wait service')
    operands=(':live')
    flags="
      --passing= --tag= --for= --any --fail-if= --stable= --timeout= --fail-fast --interval=
      --dc,--datacenter=:live -p,--profile=:profile
      -o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env -y,--yes --no-input -q,--quiet
      -v,--verbose --debug=:file --no-color -h,--help $service $namespace $out $result
    "
    ;;
  'wait key')
    operands=(':live')
    flags="
      --for= --any --fail-if= --stable= --timeout= --fail-fast --interval= --dc,--datacenter=:live
      -p,--profile=:profile -o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env -y,--yes
      --no-input -q,--quiet -v,--verbose --debug=:file --no-color -h,--help $service $namespace $out
      $result
    "
    ;;
  'wait var')
    operands=(':live')
    flags="
      --for= --any --fail-if= --stable= --timeout= --fail-fast --interval= -p,--profile=:profile
      -o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env -y,--yes --no-input -q,--quiet
      -v,--verbose --debug=:file --no-color -h,--help $service $namespace $out $result
    "
    ;;
  'wait kv')
    operands=(':live')
    flags="
      --for= --any --fail-if= --stable= --timeout= --fail-fast --interval= --mount=:live
      -p,--profile=:profile -o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env -y,--yes
      --no-input -q,--quiet -v,--verbose --debug=:file --no-color -h,--help $service $namespace $out
      $result
    "
    ;;
  'wait status')
    operands=('secrets|registry|box|scheduler|accounts')
    flags="
      --for= --any --fail-if= --stable= --timeout= --fail-fast --interval= -p,--profile=:profile
      -o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env -y,--yes --no-input -q,--quiet
      -v,--verbose --debug=:file --no-color -h,--help $service $namespace $out $result
    "
    ;;
  'wait secrets')
    operands=('unsealed|initialized')
    flags="
      --for= --any --fail-if= --stable= --timeout= --fail-fast --interval= -p,--profile=:profile
      -o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env -y,--yes --no-input -q,--quiet
      -v,--verbose --debug=:file --no-color -h,--help $service $namespace $out $result
    "
    ;;
  'account')
    commands='list get create update delete change-password set-password auth-method user role scope login logout token'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'account list')
    flags="--auth-method=:live --filter= --since= --page-size= $service $out $result $every"
    ;;
  'account get')
    operands=(':live')
    flags="--auth-method=:live $service $out $result $every"
    ;;
  'account create')
    flags="
      --auth-method=:live --type=password|oidc|ldap --name= --description= --login-name= --issuer=
      --subject= --full-name= --email= --dn= --member-of-groups= --token-claims=:file
      --userinfo-claims=:file --password=:file --no-password --user=:live $service $writes $out $result
      $every
    "
    ;;
  'account update')
    operands=(':live')
    flags="
      --name= --description= --login-name= --issuer= --subject= --full-name= --email= --dn=
      --member-of-groups= --token-claims=:file --userinfo-claims=:file
      --unset=name|description|full-name|email|dn|member-of-groups --auth-method=:live --at= $service
      $writes $out $result $every
    "
    ;;
  'account delete')
    operands=(':live')
    flags="--auth-method=:live $service $writes $out $result $every"
    ;;
  'account change-password')
    operands=(':live')
    flags="
      --current-password=:file --new-password=:file --auth-method=:live --at= $service $writes $out
      $result $every
    "
    ;;
  'account set-password')
    operands=(':live')
    flags="--password=:file --no-password --auth-method=:live --at= $service $writes $out $result $every"
    ;;
  'account auth-method')
    commands='list create get update delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'account auth-method list')
    flags="--scope=:live --filter= $service $out $result $every"
    ;;
  'account auth-method create')
    operands=('-')
    flags="
      --type=password|oidc|ldap --scope=:live --description= --min-login-name-length=
      --min-password-length= --issuer= --client-id= --client-secret=:file --api-url-prefix= --max-age=
      --signing-algorithm= --idp-ca-cert=:file --allowed-audience= --claims-scope,--claims-scopes=
      --account-claim-map,--account-claim-maps= --prompt,--prompts=
      --state=inactive|active-private|active-public --url,--urls= --start-tls --insecure-tls
      --certificate=:file --client-certificate=:file --client-certificate-key=:file --bind-dn=
      --bind-password=:file --discover-dn --anon-group-search --upn-domain= --user-dn= --user-attr=
      --user-filter= --enable-groups --group-dn= --group-attr= --group-filter= --use-token-groups
      --account-attribute-map= --max-page-size=
      --deref-aliases=NeverDerefAliases|DerefInSearching|DerefFindingBaseObj|DerefAlways $service $writes
      $out $result $every
    "
    ;;
  'account auth-method get')
    operands=(':live')
    flags="--scope=:live $service $out $result $every"
    ;;
  'account auth-method update')
    operands=(':live')
    flags="
      --name= --description= --min-login-name-length= --min-password-length= --issuer= --client-id=
      --client-secret=:file --api-url-prefix= --max-age= --signing-algorithm= --idp-ca-cert=:file
      --allowed-audience= --claims-scope,--claims-scopes= --account-claim-map,--account-claim-maps=
      --prompt,--prompts= --state=inactive|active-private|active-public --url,--urls= --start-tls
      --insecure-tls --certificate=:file --client-certificate=:file --client-certificate-key=:file
      --bind-dn= --bind-password=:file --discover-dn --anon-group-search --upn-domain= --user-dn=
      --user-attr= --user-filter= --enable-groups --group-dn= --group-attr= --group-filter=
      --use-token-groups --account-attribute-map= --max-page-size=
      --deref-aliases=NeverDerefAliases|DerefInSearching|DerefFindingBaseObj|DerefAlways
      --unset=description|min-login-name-length|min-password-length|max-age|signing-algorithm|idp-ca-cert|allowed-audience|claims-scope|account-claim-map|prompt|start-tls|insecure-tls|certificate|client-certificate|client-certificate-key|bind-dn|bind-password|discover-dn|anon-group-search|upn-domain|user-dn|user-attr|user-filter|enable-groups|group-dn|group-attr|group-filter|use-token-groups|account-attribute-map|max-page-size|deref-aliases
      --disable-discovered-config-validation --scope=:live --at= $service $writes $out $result $every
    "
    ;;
  'account auth-method delete')
    operands=(':live')
    flags="--scope=:live $service $writes $out $result $every"
    ;;
  'account user')
    commands='list get create update delete add-accounts remove-accounts'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'account user list')
    flags="--scope=:live --recursive --filter= $service $out $result $every"
    ;;
  'account user get')
    operands=(':live')
    flags="--scope=:live $service $out $result $every"
    ;;
  'account user create')
    operands=('-')
    flags="--description= --scope=:live $service $writes $out $result $every"
    ;;
  'account user update')
    operands=(':live')
    flags="--name= --description= --unset=description --scope=:live --at= $service $writes $out $result $every"
    ;;
  'account user delete')
    operands=(':live')
    flags="--scope=:live $service $writes $out $result $every"
    ;;
  'account user add-accounts')
    operands=(':live' ':live...')
    flags="--scope=:live --auth-method=:live --at= $service $writes $out $result $every"
    ;;
  'account user remove-accounts')
    operands=(':live' ':live...')
    flags="--scope=:live --auth-method=:live --at= $service $writes $out $result $every"
    ;;
  'account role')
    commands='list get create update delete add-grants remove-grants add-principals remove-principals'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'account role list')
    flags="--scope=:live --recursive --filter= $service $out $result $every"
    ;;
  'account role get')
    operands=(':live')
    flags="--scope=:live $service $out $result $every"
    ;;
  'account role create')
    operands=('-')
    flags="
      --description= --grant-scope=:live --scope=:live --grant= --principal=:live $service $writes $out
      $result $every
    "
    ;;
  'account role update')
    operands=(':live')
    flags="
      --name= --description= --grant-scope=:live --unset=description --scope=:live --at= $service $writes
      $out $result $every
    "
    ;;
  'account role delete')
    operands=(':live')
    flags="--scope=:live $service $writes $out $result $every"
    ;;
  'account role add-grants')
    operands=(':live' '-...')
    flags="--scope=:live --at= $service $writes $out $result $every"
    ;;
  'account role remove-grants')
    operands=(':live' '-...')
    flags="--scope=:live --at= $service $writes $out $result $every"
    ;;
  'account role add-principals')
    operands=(':live' ':live...')
    flags="--scope=:live --at= $service $writes $out $result $every"
    ;;
  'account role remove-principals')
    operands=(':live' ':live...')
    flags="--scope=:live --at= $service $writes $out $result $every"
    ;;
  'account scope')
    commands='list get create update delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'account scope list')
    flags="--scope=:live --recursive --filter= $service $out $result $every"
    ;;
  'account scope get')
    operands=(':live')
    flags="$service $out $result $every"
    ;;
  'account scope create')
    operands=('-')
    flags="
      --description= --scope=:live --skip-admin-role-creation --skip-default-role-creation $service
      $writes $out $result $every
    "
    ;;
  'account scope update')
    operands=(':live')
    flags="
      --name= --description= --primary-auth-method=:live --unset=description|primary-auth-method --at=
      $service $writes $out $result $every
    "
    ;;
  'account scope delete')
    operands=(':live')
    flags="$service $writes $out $result $every"
    ;;
  'account login')
    flags="
      --auth-method=:live --login-name= --password=:file --no-browser --wait= --no-store $service $writes
      $out $result $every
    "
    ;;
  'account logout')
    flags="$service $writes $out $result $every"
    ;;
  'account token')
    commands='list get delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'account token list')
    flags="--all --scope=:live --filter= $service $out $result $every"
    ;;
  'account token get')
    operands=(':live')
    flags="$service $out $result $every"
    ;;
  'account token delete')
    operands=(':live')
    flags="$service $writes $out $result $every"
    ;;
  'profile')
    commands='list get put import use delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'profile list')
    flags="$out $result $every"
    ;;
  'profile get')
    operands=(':profile')
    flags="$out $result $every"
    ;;
  'profile put')
    operands=(':profile' '-...')
    flags="--ssh-role= --ssh-mount=:live --ssh-principals= --ssh-revoked= --ssh-record= $out $result $every"
    ;;
  'profile import')
    operands=(':profile')
    flags="--force $out $result $every"
    ;;
  'profile use')
    operands=(':profile')
    flags="$out $result $every"
    ;;
  'profile delete')
    operands=(':profile')
    flags="$out $result $every"
    ;;
  'alias')
    commands='list get set delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'alias list')
    flags="$out $result $every"
    ;;
  'alias get')
    operands=(':live')
    flags="$out $result $every"
    ;;
  'alias set')
    operands=(':live' '-')
    flags="-s,--shell --force $out $result $every"
    ;;
  'alias delete')
    operands=(':live')
    flags="$out $result $every"
    ;;
  'plugin')
    commands='list'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'plugin list')
    flags="$out $result $every"
    ;;
  'api')
    operands=('secrets|registry|box|scheduler|accounts' 'GET|LIST|POST|PUT|PATCH|DELETE|RECOVER|SCAN' '-' '-...')
    flags="--data=:file $service $namespace $writes $out $result $every"
    ;;
  'schema')
    operands=(':live...')
    flags="--all $out $result $every"
    ;;
  'completion')
    operands=('bash|zsh|fish|powershell')
    flags="$every"
    ;;
  help) ;;
  *) return 1 ;;
  esac
}

_lanyard() {
  local IFS=$' \t\n'
  local commands flags operands words=() path='' kind='' pending='' ended='' helping='' manual='' own='' given=0 word
  local before=''
  COMPREPLY=()
  _lanyard_words
  # The word at the cursor without its quotes. Of it, bash replaces only what follows "=", ":" or "@".
  local raw=${words[-1]}
  local current=${raw//[\"\'\\]/}
  local kept=${current%"${2//[\"\'\\]/}"}
  unset 'words[-1]'

  _lanyard_at ''
  for word in "${words[@]:1}"; do
    if [[ $pending ]]; then
      pending=''
    elif [[ $ended ]]; then
      ((given += 1))
    elif [[ $word == -- ]]; then
      ended=1
    elif [[ $word == --*=* ]]; then
      continue
    elif [[ $helping && $word == --man ]]; then
      manual=1
    elif [[ $word == --* ]]; then
      _lanyard_takes_value "$word" && pending=1
    elif [[ $word == -?* ]]; then
      _lanyard_letters "${word#-}"
    elif [[ $given == 0 && " $commands " == *" $word "* ]]; then
      path+="${path:+ }$word"
      _lanyard_at "$path"
    else
      ((given += 1))
      # After a flag that only some commands have, it may be a value.
      [[ $path || $helping || $given != 1 || $before == -* ]] || own=1
    fi
    before=$word
    # "help" is followed by the words of any command.
    if [[ $path == help && ! $helping ]]; then
      helping=1 path=''
      _lanyard_at ''
      commands=${commands% help}
    fi
  done

  if [[ $own ]]; then
    # An alias or a plugin: of what follows, only the program itself knows what it is.
    _lanyard_value :live ''
    if [[ ${COMPREPLY[*]-} == :file ]]; then
      COMPREPLY=()
      _lanyard_value :file ''
    fi
  elif [[ $helping && $current == -* ]]; then
    _lanyard_offer '' --man
  elif [[ $helping ]]; then
    if [[ $manual ]]; then
      [[ $path ]] || commands+=' config'
    else
      [[ $path ]] || commands+=' guides flags exit-codes environment formats watching vault consul nomad boundary vagrant getting-started real-clusters ssh-for-teams ssh-hosts ssh-certificates ssh-revoke ssh-history ssh-rotate ssh-rejected one-time-passwords copy-secrets running-programs team-state environments templates aliases-and-plugins state-files drift ci-jobs ci-github ci-gitlab embedded-services new-openbao new-consul new-nomad new-boundary from-vault from-consul from-nomad from-boundary from-vagrant'
    fi
    [[ $given == 0 ]] && _lanyard_offer '' $commands
  elif [[ $pending ]]; then
    _lanyard_value "$kind" ''
  elif [[ ! $ended && $current == --*=* ]]; then
    _lanyard_takes_value "${current%%=*}" && _lanyard_value "$kind" "${current%%=*}="
  elif [[ ! $ended && $current == -* ]]; then
    _lanyard_offer_flags
  elif [[ $ended || ! $commands ]]; then
    _lanyard_operand
  elif [[ $given == 0 ]]; then
    _lanyard_offer '' $commands
    [[ $path ]] || _lanyard_value :live ''
  fi
}

# Sets $words to the words up to the cursor as they were typed: bash also splits at "=", ":" and "@".
_lanyard_words() {
  local line=${COMP_LINE:0:COMP_POINT} rest index piece
  for ((index = 0; index <= COMP_CWORD; index++)); do
    rest=${line#"${line%%[![:space:]]*}"}
    piece=${COMP_WORDS[index]}
    ((index == COMP_CWORD)) && piece=$rest
    if [[ $index == 0 || $rest != "$line" ]]; then
      words+=("$piece")
    else
      words[-1]+=$piece
    fi
    line=${rest#"$piece"}
  done
}

# Does the flag $1 take a value? Sets $kind to what completes it.
_lanyard_takes_value() {
  local flag
  for flag in $flags; do
    if [[ $flag == *=* && ,${flag%%=*}, == *",$1,"* ]]; then
      kind=${flag#*=}
      return 0
    fi
  done
  return 1
}

# Short flags in one word: the first that takes a value has the rest of the word, or else the next one.
_lanyard_letters() {
  local letters=$1
  while [[ $letters ]]; do
    if _lanyard_takes_value "-${letters:0:1}"; then
      [[ ${#letters} == 1 ]] && pending=1
      return
    fi
    letters=${letters:1}
  done
}

_lanyard_operand() {
  local count=${#operands[@]} kind=''
  if ((given < count)); then
    kind=${operands[given]}
  elif ((count > 0)) && [[ ${operands[-1]} == *... ]]; then
    kind=${operands[-1]}
    [[ $kind == :command... ]] && kind=:file
  elif [[ ! $ended ]]; then
    _lanyard_offer_flags
    return
  fi
  kind=${kind%...}
  [[ $ended && $kind != :command ]] && kind=:file
  _lanyard_value "$kind" ''
}

# Completes a value of the KIND $1, in a word that begins with $2.
_lanyard_value() {
  local prefix=$2 name rest
  case $1 in
  '' | -) ;;
  :file) _lanyard_paths default -f "$prefix" ;;
  :directory) _lanyard_paths dirnames -d "$prefix" ;;
  :profile)
    while IFS=$'\t' read -r name rest; do
      _lanyard_offer "$prefix" "$name"
    done < <(lanyard profile list 2>/dev/null </dev/null)
    ;;
  :live)
    [[ ${LANYARD_COMPLETION-} == static ]] && return
    while IFS= read -r name; do
      [[ $name == *[/=] ]] && compopt -o nospace
      _lanyard_add "$prefix$name"
    done < <(lanyard __complete bash "=$raw" -- "${words[@]:1}" 2>/dev/null </dev/null)
    ;;
  :command)
    if [[ $current == */* ]]; then
      compopt -o default
    else
      while IFS= read -r name; do
        _lanyard_offer "$prefix" "$name"
      done < <(compgen -c -- "$current")
    fi
    ;;
  *) _lanyard_offer "$prefix" ${1//|/ } ;;
  esac
}

# Completes a path after $3. What is a whole word to bash is left to bash (its option $1); paths after "@"
# and "file://", and those with "=" or ":" before them or in them, are found here (with compgen $2).
_lanyard_paths() {
  local option=$1 found=$2 prefix=$3 path
  if [[ ${current#"$prefix"} == @* ]]; then
    prefix+=@
  elif [[ ${current#"$prefix"} == file://* ]]; then
    prefix+=file://
  elif [[ $prefix == "$kept" ]]; then
    compopt -o "$option"
    return
  fi
  while IFS= read -r path; do
    if [[ -d $path ]]; then
      path+=/
      compopt -o nospace
    fi
    _lanyard_offer "$prefix" "$path"
  done < <(compgen "$found" -- "${current#"$prefix"}")
}

_lanyard_offer_flags() {
  local flag names=()
  for flag in $flags; do
    names+=(${flag%%=*})
  done
  names=${names[*]}
  _lanyard_offer '' ${names//,/ }
}

# Offers $1 followed by each of the other arguments, if it continues the word at the cursor.
_lanyard_offer() {
  local prefix=$1 name
  shift
  for name; do
    [[ $prefix$name == "$current"* ]] && _lanyard_add "$prefix$name"
  done
}

# Offers the word $1, quoted for where it is inserted.
_lanyard_add() {
  local name=${1#"$kept"} open=''
  _lanyard_open_quote
  case $open in
  "'") name=${name//\'/"'\\''"} ;;
  '"')
    # Inside these quotes, bash replaces "!" whatever is before it.
    [[ $name == *'!'* ]] && return
    name=${name//'\'/'\\'}
    name=${name//'"'/'\"'}
    name=${name//'$'/'\$'}
    name=${name//'`'/'\`'}
    ;;
  *) printf -v name %q "$name" ;;
  esac
  COMPREPLY+=("$name")
}

# Sets $open to the quote that is open at the end of the word at the cursor.
_lanyard_open_quote() {
  local index character
  for ((index = 0; index < ${#raw}; index += 1)); do
    character=${raw:index:1}
    if [[ $character == "$open" ]]; then
      open=''
    elif [[ ! $open && $character == [\"\'] ]]; then
      open=$character
    elif [[ $open != "'" && $character == '\' ]]; then
      ((index += 1))
    fi
  done
}

complete -F _lanyard lanyard
