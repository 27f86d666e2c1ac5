# Completion of lanyard for bash 5. Written by "npm run generate"; do not edit.
#
# Add to ~/.bashrc: source <(lanyard completion bash)

# Says what may stand after a command: sets $commands, $flags and $operands for the command path $1.
#
# A flag is NAMES, or NAMES=KIND when it takes a value. A KIND is what completes a value: :file, :directory,
# :profile, :command (a command line of its own), choices (a|b|c), or nothing for free text. Operands are
# KINDs in order; "-" is free text, and "..." says that the last one may repeat.
_lanyard_at() {
  local service="--address= --curl --skip-verify"
  local namespace="-n,--namespace="
  local writes="--dry-run"
  local out="--out=:file"
  local result="--env-prefix= --field= --select="
  local every="
    -p,--profile=:profile -o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env --timeout=
    -y,--yes --no-input -q,--quiet -v,--verbose --no-color -h,--help
  "
  commands='' flags='' operands=()
  case $1 in
  '')
    commands='quickstart dev run status ssh kv secrets acl query txn registry chain discovery-chain box namespace var account profile api completion help'
    flags="-V,--version $out $result $every"
    ;;
  'quickstart')
    flags="$every"
    ;;
  'dev')
    commands='run'
    flags="
      --data=:directory --port= --uninitialized --audit-log=:file --audit-option= --datacenters=
      --round-trip= --password=:file --two-factor --rate-limit= $out $result $every
    "
    ;;
  'dev run')
    operands=(':command...')
    flags="--datacenters= --round-trip= $every"
    ;;
  'run')
    operands=(':command...')
    flags="--var= --kv= --prefix= --upper $service $namespace $every"
    ;;
  'status')
    flags="--check $out $result $every"
    ;;
  'ssh')
    commands='sign issue creds lookup verify connect config proxy trust explain inspect ca issuer role zero-address tidy'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ssh sign')
    operands=('-')
    flags="
      --key=:file --principals,--valid-principals= --cert-type=user|host --ttl= --key-id=
      --extension,--extensions= --critical-option,--critical-options= --out=:file --agent --batch=:file
      --concurrency= --if-needed --for-login --mount= $service $namespace $writes $result $every
    "
    ;;
  'ssh issue')
    operands=('-')
    flags="
      --key-type=rsa|ed25519|ec --key-bits= --principals,--valid-principals= --cert-type=user|host --ttl=
      --key-id= --extension,--extensions= --critical-option,--critical-options= --out=:file --force
      --mount= $service $namespace $writes $result $every
    "
    ;;
  'ssh creds')
    operands=('-')
    flags="--ip= --username= --mount= $service $namespace $writes $out $result $every"
    ;;
  'ssh lookup')
    operands=('-')
    flags="--mount= $service $namespace $out $result $every"
    ;;
  'ssh verify')
    operands=(':file')
    flags="--pam --ip= --allowed-cidr= --mount= $service $namespace $writes $out $result $every"
    ;;
  'ssh connect')
    operands=('-' '-...')
    flags="
      --role= --mode=ca|otp --host-ca= --principals= --ttl= --extension= --key=:file --agent-key --ip=
      --mount= $service $namespace $writes $every
    "
    ;;
  'ssh config')
    operands=('-...')
    flags="
      --role= --user= --out=:file --install --timeout= --dry-run --mount= -p,--profile=:profile
      -o,--output=text|json|jsonl|yaml|table|env|dotenv|github-env -y,--yes --no-input -q,--quiet
      -v,--verbose --no-color -h,--help $result
    "
    ;;
  'ssh proxy')
    operands=('-' '-')
    flags="--role= --key=:file --principals= --mount= $service $namespace $out $result $every"
    ;;
  'ssh trust')
    flags="
      --hosts= --known-hosts=:file --users=:file --dry-run --mount= $service $namespace $out $result
      $every
    "
    ;;
  'ssh explain')
    operands=('-')
    flags="
      --key=:file --principals,--valid-principals= --cert-type=user|host --ttl= --key-id=
      --extension,--extensions= --critical-option,--critical-options= --mount= $service $namespace $out
      $result $every
    "
    ;;
  'ssh inspect')
    operands=(':file')
    flags="--lint $out $result $every"
    ;;
  'ssh ca')
    commands='create get public-key delete recover'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ssh ca create')
    flags="
      --key-type=rsa|ec|ed25519|ssh-rsa|ecdsa-sha2-nistp256|ecdsa-sha2-nistp384|ecdsa-sha2-nistp521|ssh-ed25519
      --key-bits= --private-key=:file --public-key=:file --managed-key-name= --managed-key-id= --mount=
      $service $namespace $writes $out $result $every
    "
    ;;
  'ssh ca get')
    flags="--snapshot= --mount= $service $namespace $out $result $every"
    ;;
  'ssh ca public-key')
    flags="--mount= $service $namespace $out $result $every"
    ;;
  'ssh ca delete')
    flags="--mount= $service $namespace $writes $out $result $every"
    ;;
  'ssh ca recover')
    flags="--snapshot= --mount= $service $namespace $writes $out $result $every"
    ;;
  'ssh issuer')
    commands='list get import use delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ssh issuer list')
    flags="--mount= $service $namespace $out $result $every"
    ;;
  'ssh issuer get')
    operands=('-')
    flags="--mount= $service $namespace $out $result $every"
    ;;
  'ssh issuer import')
    operands=('-')
    flags="
      --key-type=rsa|ec|ed25519|ssh-rsa|ecdsa-sha2-nistp256|ecdsa-sha2-nistp384|ecdsa-sha2-nistp521|ssh-ed25519
      --key-bits= --private-key=:file --public-key=:file --default --mount= $service $namespace $writes
      $out $result $every
    "
    ;;
  'ssh issuer use')
    operands=('-')
    flags="--mount= $service $namespace $writes $out $result $every"
    ;;
  'ssh issuer delete')
    operands=('-')
    flags="--mount= $service $namespace $writes $out $result $every"
    ;;
  'ssh role')
    commands='list get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ssh role list')
    flags="--mount= $service $namespace $out $result $every"
    ;;
  'ssh role get')
    operands=('-')
    flags="--mount= $service $namespace $out $result $every"
    ;;
  'ssh role put')
    operands=('-')
    flags="
      --key-type=ca|otp --allow-user-certificates --allow-host-certificates --allowed-users=
      --allowed-users-template --default-user= --default-user-template --allowed-domains=
      --allowed-domains-template --allow-bare-domains --allow-subdomains --allow-empty-principals --ttl=
      --max-ttl= --not-before-duration= --default-extension,--default-extensions=
      --default-extensions-template --allowed-extensions=
      --default-critical-option,--default-critical-options= --allowed-critical-options=
      --allow-user-key-ids --key-id-format= --allowed-user-key-length,--allowed-user-key-lengths=
      --algorithm-signer=default|ssh-rsa|rsa-sha2-256|rsa-sha2-512 --issuer-ref=
      --allow-commas-in-identity-templates --cidr-list= --exclude-cidr-list= --port= --mount= $service
      $namespace $writes $out $result $every
    "
    ;;
  'ssh role delete')
    operands=('-')
    flags="--mount= $service $namespace $writes $out $result $every"
    ;;
  'ssh zero-address')
    commands='get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'ssh zero-address get')
    flags="--mount= $service $namespace $out $result $every"
    ;;
  'ssh zero-address put')
    operands=('-...')
    flags="--mount= $service $namespace $writes $out $result $every"
    ;;
  'ssh zero-address delete')
    flags="--mount= $service $namespace $writes $out $result $every"
    ;;
  'ssh tidy')
    flags="--mount= $service $namespace $writes $out $result $every"
    ;;
  'kv')
    commands='get put patch edit list delete undelete rollback destroy metadata config'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'kv get')
    operands=('-')
    flags="--version= --mount= $service $namespace $out $result $every"
    ;;
  'kv put')
    operands=('-' '-...')
    flags="--in=:file --cas= --mount= $service $namespace $writes $out $result $every"
    ;;
  'kv patch')
    operands=('-' '-...')
    flags="--in=:file --cas= --mount= $service $namespace $writes $out $result $every"
    ;;
  'kv edit')
    operands=('-')
    flags="--mount= $service $namespace $writes $out $result $every"
    ;;
  'kv list')
    operands=('-')
    flags="--recursive --mount= $service $namespace $out $result $every"
    ;;
  'kv delete')
    operands=('-')
    flags="--versions= --mount= $service $namespace $writes $out $result $every"
    ;;
  'kv undelete')
    operands=('-')
    flags="--versions= --mount= $service $namespace $writes $out $result $every"
    ;;
  'kv rollback')
    operands=('-')
    flags="--version= --mount= $service $namespace $writes $out $result $every"
    ;;
  'kv destroy')
    operands=('-')
    flags="--versions= --mount= $service $namespace $writes $out $result $every"
    ;;
  'kv metadata')
    commands='get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'kv metadata get')
    operands=('-')
    flags="--mount= $service $namespace $out $result $every"
    ;;
  'kv metadata put')
    operands=('-')
    flags="
      --max-versions= --cas-required=true|false --delete-version-after= --custom-metadata= --mount=
      $service $namespace $writes $out $result $every
    "
    ;;
  'kv metadata delete')
    operands=('-')
    flags="--mount= $service $namespace $writes $out $result $every"
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
      --max-versions= --cas-required=true|false --delete-version-after= $service $namespace $writes $out
      $result $every
    "
    ;;
  'secrets')
    commands='read write patch list delete help mount auth policy token lease unwrap namespace status login logout init unseal seal'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets read')
    operands=('-')
    flags="--wrap-ttl= $service $namespace $out $result $every"
    ;;
  'secrets write')
    operands=('-' '-...')
    flags="--in=:file --wrap-ttl= $service $namespace $writes $out $result $every"
    ;;
  'secrets patch')
    operands=('-' '-...')
    flags="--in=:file $service $namespace $writes $out $result $every"
    ;;
  'secrets list')
    operands=('-')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets delete')
    operands=('-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets help')
    operands=('-')
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
    operands=('-')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets mount enable')
    operands=('-')
    flags="
      --version= --path= --description= --default-lease-ttl= --max-lease-ttl=
      --listing-visibility=hidden|unauth --option,--options=
      --audit-non-hmac-request-keys,--audit-non-hmac-request-key=
      --audit-non-hmac-response-keys,--audit-non-hmac-response-key= --passthrough-request-headers=
      --allowed-response-headers= --local --seal-wrap --plugin-version= $service $namespace $writes $out
      $result $every
    "
    ;;
  'secrets mount tune')
    operands=('-')
    flags="
      --description= --default-lease-ttl= --max-lease-ttl= --listing-visibility=hidden|unauth
      --option,--options= --audit-non-hmac-request-keys,--audit-non-hmac-request-key=
      --audit-non-hmac-response-keys,--audit-non-hmac-response-key= --passthrough-request-headers=
      --allowed-response-headers= $service $namespace $writes $out $result $every
    "
    ;;
  'secrets mount move')
    operands=('-' '-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets mount disable')
    operands=('-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets auth')
    commands='list get enable tune move disable'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets auth list')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets auth get')
    operands=('-')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets auth enable')
    operands=('-')
    flags="
      --path= --description= --default-lease-ttl= --max-lease-ttl= --listing-visibility=hidden|unauth
      --option,--options= --audit-non-hmac-request-keys,--audit-non-hmac-request-key=
      --audit-non-hmac-response-keys,--audit-non-hmac-response-key= --passthrough-request-headers=
      --allowed-response-headers= --local --seal-wrap --plugin-version=
      --token-type=default-service|default-batch|service|batch $service $namespace $writes $out $result
      $every
    "
    ;;
  'secrets auth tune')
    operands=('-')
    flags="
      --description= --default-lease-ttl= --max-lease-ttl= --listing-visibility=hidden|unauth
      --option,--options= --audit-non-hmac-request-keys,--audit-non-hmac-request-key=
      --audit-non-hmac-response-keys,--audit-non-hmac-response-key= --passthrough-request-headers=
      --allowed-response-headers= --token-type=default-service|default-batch|service|batch $service
      $namespace $writes $out $result $every
    "
    ;;
  'secrets auth move')
    operands=('-' '-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets auth disable')
    operands=('-')
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
    operands=('-' ':file')
    flags="--no-check $service $namespace $writes $out $result $every"
    ;;
  'secrets policy get')
    operands=('-')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets policy delete')
    operands=('-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets token')
    commands='create self lookup renew keep-alive capabilities revoke'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets token create')
    flags="
      --policy,--policies= --ttl= --period= --explicit-max-ttl= --use-limit,--num-uses= --orphan
      --no-default-policy --not-renewable --type=service|batch --role= --display-name= --metadata,--meta=
      --entity-alias= --id=:file --wrap-ttl= $service $namespace $writes $out $result $every
    "
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
  'secrets namespace')
    commands='list create delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'secrets namespace list')
    flags="$service $namespace $out $result $every"
    ;;
  'secrets namespace create')
    operands=('-')
    flags="--custom-metadata= $service $namespace $writes $out $result $every"
    ;;
  'secrets namespace delete')
    operands=('-')
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
      --wait= --path= --no-store $service $namespace $writes $out $result $every
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
      --method= --bearer-token=:file --meta= --oidc --callback-port= --no-browser --wait= --no-store
      $service $namespace $writes $out $result $every
    "
    ;;
  'acl logout')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl explain')
    operands=('-')
    flags="--dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'acl can')
    operands=('-' '-')
    flags="--token= --dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'acl policy')
    commands='list get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl policy list')
    flags="--dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'acl policy get')
    operands=('-')
    flags="--dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'acl policy put')
    operands=('-')
    flags="
      --rules=:file --no-check --description= --valid-datacenter,--valid-datacenters= --name= $service
      $namespace $writes $out $result $every
    "
    ;;
  'acl policy delete')
    operands=('-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl token')
    commands='list get self create update clone delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl token list')
    flags="--policy= --role= --auth-method= --dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'acl token get')
    operands=('-')
    flags="--expanded --show-secret --dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'acl token self')
    flags="--show-secret $service $namespace $out $result $every"
    ;;
  'acl token create')
    flags="
      --policy,--policy-name,--policy-id= --service-identity= --node-identity= --templated-policy=
      --role,--role-name,--role-id= --description= --ttl,--expires-ttl= --expires-at= --local --accessor=
      --secret=:file $service $namespace $writes $out $result $every
    "
    ;;
  'acl token update')
    operands=('-')
    flags="
      --description= --policy,--policy-name,--policy-id=
      --add-policy,--append-policy-name,--append-policy-id= --remove-policy= --service-identity=
      --add-service-identity= --remove-service-identity= --node-identity= --add-node-identity=
      --remove-node-identity= --templated-policy= --add-templated-policy= --remove-templated-policy=
      --role,--role-name,--role-id= --add-role,--append-role-name,--append-role-id= --remove-role=
      $service $namespace $writes $out $result $every
    "
    ;;
  'acl token clone')
    operands=('-')
    flags="--description= $service $namespace $writes $out $result $every"
    ;;
  'acl token delete')
    operands=('-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl role')
    commands='list get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl role list')
    flags="--dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'acl role get')
    operands=('-')
    flags="--dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'acl role put')
    operands=('-')
    flags="
      --description= --policy,--policy-name,--policy-id=
      --add-policy,--append-policy-name,--append-policy-id= --remove-policy= --service-identity=
      --add-service-identity= --remove-service-identity= --node-identity= --add-node-identity=
      --remove-node-identity= --templated-policy= --add-templated-policy= --remove-templated-policy=
      --name= $service $namespace $writes $out $result $every
    "
    ;;
  'acl role delete')
    operands=('-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl auth-method')
    commands='list get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl auth-method list')
    flags="--dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'acl auth-method get')
    operands=('-')
    flags="--dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'acl auth-method put')
    operands=('-')
    flags="
      --type=jwt|oidc|kubernetes|aws-iam --display-name= --description= --max-token-ttl=
      --token-locality=local|global --config=:file --in=:file --jwt-validation-pub-key=:file --jwks-url=
      --oidc-discovery-url= --bound-issuer= --bound-audience,--bound-audiences= --claim-mapping=
      --list-claim-mapping= --oidc-client-id= --oidc-client-secret=:file
      --allowed-redirect-uri,--allowed-redirect-uris= --kubernetes-host= --kubernetes-ca-cert=:file
      --kubernetes-service-account-jwt=:file $service $namespace $writes $out $result $every
    "
    ;;
  'acl auth-method delete')
    operands=('-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl binding-rule')
    commands='list get create update delete test'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl binding-rule list')
    flags="--method= --dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'acl binding-rule get')
    operands=('-')
    flags="--dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'acl binding-rule create')
    flags="
      --method= --bind-type=service|node|role|policy|templated-policy --bind-name= --bind-var= --selector=
      --description= $service $namespace $writes $out $result $every
    "
    ;;
  'acl binding-rule update')
    operands=('-')
    flags="
      --bind-type=service|node|role|policy|templated-policy --bind-name= --bind-var= --selector=
      --description= $service $namespace $writes $out $result $every
    "
    ;;
  'acl binding-rule delete')
    operands=('-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'acl binding-rule test')
    flags="
      --method= --claims=:file --bearer-token=:file --selector=
      --bind-type=service|node|role|policy|templated-policy --bind-name= --claim-mapping=
      --list-claim-mapping= --dc,--datacenter= $service $namespace $out $result $every
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
      --method= --redirect-uri= --client-nonce=:file --meta= $service $namespace $writes $out $result
      $every
    "
    ;;
  'acl oidc callback')
    flags="
      --method= --state= --code=:file --client-nonce=:file --meta= --no-store $service $namespace $writes
      $out $result $every
    "
    ;;
  'acl replication')
    flags="--dc,--datacenter= $service $namespace $out $result $every"
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
    flags="--dc,--datacenter= --stale --consistent $service $namespace $out $result $every"
    ;;
  'query get')
    operands=('-')
    flags="--dc,--datacenter= --stale --consistent $service $namespace $out $result $every"
    ;;
  'query create')
    operands=('-')
    flags="
      --name= --service= --service-namespace= --session= --token= --near= --only-passing --tag,--tags=
      --node-meta= --service-meta= --connect --ignore-check,--ignore-check-ids=
      --failover-nearest,--failover-nearest-n= --failover-datacenter,--failover-datacenters=
      --failover-target,--failover-targets= --dns-ttl= --template=name_prefix_match --regexp=
      --remove-empty-tags --file=:file --dc,--datacenter= $service $namespace $writes $out $result $every
    "
    ;;
  'query update')
    operands=('-')
    flags="
      --name= --service= --service-namespace= --session= --token= --near= --only-passing --tag,--tags=
      --node-meta= --service-meta= --connect --ignore-check,--ignore-check-ids=
      --failover-nearest,--failover-nearest-n= --failover-datacenter,--failover-datacenters=
      --failover-target,--failover-targets= --dns-ttl= --template=name_prefix_match --regexp=
      --remove-empty-tags
      --unset=session|token|near|only-passing|tag|node-meta|service-meta|connect|ignore-check|service-namespace|failover-nearest|failover-datacenter|failover-target|dns-ttl|regexp|remove-empty-tags
      --file=:file --replace --dc,--datacenter= $service $namespace $writes $out $result $every
    "
    ;;
  'query put')
    operands=('-')
    flags="
      --name= --service= --service-namespace= --session= --token= --near= --only-passing --tag,--tags=
      --node-meta= --service-meta= --connect --ignore-check,--ignore-check-ids=
      --failover-nearest,--failover-nearest-n= --failover-datacenter,--failover-datacenters=
      --failover-target,--failover-targets= --dns-ttl= --template=name_prefix_match --regexp=
      --remove-empty-tags --file=:file --dc,--datacenter= --dry-run $service $namespace $out $result
      $every
    "
    ;;
  'query delete')
    operands=('-')
    flags="--dc,--datacenter= $service $namespace $writes $out $result $every"
    ;;
  'query edit')
    operands=('-')
    flags="--dc,--datacenter= $service $namespace $writes $out $result $every"
    ;;
  'query exec')
    operands=('-')
    flags="
      --near= --limit= --connect --format=hosts|ssh-config|prometheus-sd|addr --dc,--datacenter= --stale
      --consistent $service $namespace $out $result $every
    "
    ;;
  'query explain')
    operands=('-')
    flags="--dc,--datacenter= --stale --consistent $service $namespace $out $result $every"
    ;;
  'txn')
    commands='apply check'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'txn apply')
    operands=(':file')
    flags="--stale --consistent --chunk= --dc,--datacenter= $service $namespace $writes $out $result $every"
    ;;
  'txn check')
    operands=(':file')
    flags="$out $result $every"
    ;;
  'registry')
    commands='service node kv config session lock'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry service')
    commands='list get register deregister'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry service list')
    flags="--filter= --stale --consistent --dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'registry service get')
    operands=('-')
    flags="
      --passing --tag= --filter= --near= --stale --consistent --dc,--datacenter= $service $namespace $out
      $result $every
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
    operands=('-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry node')
    commands='list get'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry node list')
    flags="--filter= --near= --stale --consistent --dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'registry node get')
    operands=('-')
    flags="--stale --consistent --dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'registry kv')
    commands='get list put delete export import'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry kv get')
    operands=('-')
    flags="--recursive --stale --consistent --dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'registry kv list')
    operands=('-')
    flags="
      --recursive --separator= --stale --consistent --dc,--datacenter= $service $namespace $out $result
      $every
    "
    ;;
  'registry kv put')
    operands=('-' '-')
    flags="
      --cas= --flags= --base64 --acquire= --release= --dc,--datacenter= $service $namespace $writes $out
      $result $every
    "
    ;;
  'registry kv delete')
    operands=('-')
    flags="--recursive --cas= --dc,--datacenter= $service $namespace $writes $out $result $every"
    ;;
  'registry kv export')
    operands=('-')
    flags="--out=:file --force --stale --consistent --dc,--datacenter= $service $namespace $result $every"
    ;;
  'registry kv import')
    operands=(':file')
    flags="--prefix= --dc,--datacenter= $service $namespace $writes $out $result $every"
    ;;
  'registry config')
    commands='list get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry config list')
    operands=('proxy-defaults|service-defaults|service-router|service-splitter|service-resolver|service-intentions|mesh|exported-services|sameness-group|jwt-provider|ingress-gateway|terminating-gateway|api-gateway|bound-api-gateway|http-route|tcp-route|inline-certificate|file-system-certificate|control-plane-request-limit')
    flags="--dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'registry config get')
    operands=('proxy-defaults|service-defaults|service-router|service-splitter|service-resolver|service-intentions|mesh|exported-services|sameness-group|jwt-provider|ingress-gateway|terminating-gateway|api-gateway|bound-api-gateway|http-route|tcp-route|inline-certificate|file-system-certificate|control-plane-request-limit' '-')
    flags="--dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'registry config put')
    operands=(':file')
    flags="--cas= --dc,--datacenter= $service $namespace $writes $out $result $every"
    ;;
  'registry config delete')
    operands=('proxy-defaults|service-defaults|service-router|service-splitter|service-resolver|service-intentions|mesh|exported-services|sameness-group|jwt-provider|ingress-gateway|terminating-gateway|api-gateway|bound-api-gateway|http-route|tcp-route|inline-certificate|file-system-certificate|control-plane-request-limit' '-')
    flags="--cas= --dc,--datacenter= $service $namespace $writes $out $result $every"
    ;;
  'registry session')
    commands='list get create delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'registry session list')
    flags="--node= --dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'registry session get')
    operands=('-')
    flags="--dc,--datacenter= $service $namespace $out $result $every"
    ;;
  'registry session create')
    flags="
      --name= --ttl= --lock-delay= --behavior=release|delete --node= --node-check= --service-check=
      --dc,--datacenter= $service $namespace $writes $out $result $every
    "
    ;;
  'registry session delete')
    operands=('-')
    flags="--dc,--datacenter= $service $namespace $writes $out $result $every"
    ;;
  'registry lock')
    operands=('-' ':command...')
    flags="--wait= --ttl= --lock-delay= --grace= --name= --dc,--datacenter= $service $namespace $writes $every"
    ;;
  'chain')
    commands='get'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'chain get')
    operands=('-')
    flags="
      --compile-dc= --override-protocol=tcp|http|http2|grpc --override-connect-timeout=
      --override-mesh-gateway=none|local|remote --format=dot|mermaid --diff --dc,--datacenter= $service
      $namespace $out $result $every
    "
    ;;
  'discovery-chain')
    commands='get'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'discovery-chain get')
    operands=('-')
    flags="
      --compile-dc= --override-protocol=tcp|http|http2|grpc --override-connect-timeout=
      --override-mesh-gateway=none|local|remote --format=dot|mermaid --diff --dc,--datacenter= $service
      $namespace $out $result $every
    "
    ;;
  'box')
    commands='list search get create update delete version upload publish download release revoke provider token request-code org'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'box list')
    operands=('-')
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
    operands=('-')
    flags="$service $out $result $every"
    ;;
  'box create')
    operands=('-')
    flags="--private --public --short-description= --description=:file $service $writes $out $result $every"
    ;;
  'box update')
    operands=('-')
    flags="
      --private --public --short-description= --description=:file --name= $service $writes $out $result
      $every
    "
    ;;
  'box delete')
    operands=('-')
    flags="$service $writes $out $result $every"
    ;;
  'box version')
    commands='get create update delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'box version get')
    operands=('-' '-')
    flags="$service $out $result $every"
    ;;
  'box version create')
    operands=('-' '-')
    flags="--description=:file $service $writes $out $result $every"
    ;;
  'box version update')
    operands=('-' '-')
    flags="--description=:file --number= $service $writes $out $result $every"
    ;;
  'box version delete')
    operands=('-' '-')
    flags="$service $writes $out $result $every"
    ;;
  'box upload')
    operands=('-' '-' '-' ':file')
    flags="
      --checksum-type=md5|sha1|sha256|sha384|sha512
      --architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown $service
      $writes $out $result $every
    "
    ;;
  'box publish')
    operands=('-' '-' '-' ':file')
    flags="
      --private --public --short-description= --description=:file --version-description=:file --url=
      --checksum= --checksum-type=md5|sha1|sha256|sha384|sha512
      --architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown
      --no-release $service $writes $out $result $every
    "
    ;;
  'box download')
    operands=('-' '-' '-')
    flags="
      --out=:file --force
      --architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown $service
      $result $every
    "
    ;;
  'box release')
    operands=('-' '-')
    flags="$service $writes $out $result $every"
    ;;
  'box revoke')
    operands=('-' '-')
    flags="$service $writes $out $result $every"
    ;;
  'box provider')
    commands='get create update delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'box provider get')
    operands=('-' '-' '-')
    flags="
      --architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown $service
      $out $result $every
    "
    ;;
  'box provider create')
    operands=('-' '-' '-')
    flags="
      --url= --checksum= --checksum-type=md5|sha1|sha256|sha384|sha512
      --architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown
      --default-architecture $service $writes $out $result $every
    "
    ;;
  'box provider update')
    operands=('-' '-' '-')
    flags="
      --url= --checksum= --checksum-type=md5|sha1|sha256|sha384|sha512 --name=
      --architecture=amd64|i386|arm|arm64|ppc64le|ppc64|mips64le|mips64|mipsle|mips|s390x|unknown
      --default-architecture $service $writes $out $result $every
    "
    ;;
  'box provider delete')
    operands=('-' '-' '-')
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
    operands=('-')
    flags="$service $out $result $every"
    ;;
  'box org create')
    operands=('-')
    flags="$service $writes $out $result $every"
    ;;
  'namespace')
    commands='list get put delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'namespace list')
    flags="--prefix= $service $namespace $out $result $every"
    ;;
  'namespace get')
    operands=('-')
    flags="$service $namespace $out $result $every"
    ;;
  'namespace put')
    operands=('-')
    flags="--description= --quota= --meta= --in=:file $service $namespace $writes $out $result $every"
    ;;
  'namespace delete')
    operands=('-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'var')
    commands='list get put edit diff export import lock delete'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'var list')
    flags="--prefix= --filter= --per-page= --next-token= --all $service $namespace $out $result $every"
    ;;
  'var get')
    operands=('-')
    flags="--reveal $service $namespace $out $result $every"
    ;;
  'var put')
    operands=('-' '-...')
    flags="
      --in=:file --format=json|yaml|env|hcl --cas= --force --merge --retry-merge $service $namespace
      $writes $out $result $every
    "
    ;;
  'var edit')
    operands=('-')
    flags="$service $namespace $writes $out $result $every"
    ;;
  'var diff')
    operands=('-')
    flags="
      --with=:file --format=json|yaml|env|hcl --with-namespace= --prefix= --reveal $service $namespace
      $out $result $every
    "
    ;;
  'var export')
    operands=(':directory')
    flags="--prefix= --format=json|yaml --force $service $namespace $out $result $every"
    ;;
  'var import')
    operands=(':directory')
    flags="--dry-run $service $namespace $out $result $every"
    ;;
  'var lock')
    operands=('-' ':command...')
    flags="--wait= --ttl= --lock-delay= --grace= --env --prefix= --upper $service $namespace $writes $every"
    ;;
  'var delete')
    operands=('-')
    flags="--cas= $service $namespace $writes $out $result $every"
    ;;
  'account')
    commands='list get create update delete change-password set-password auth-method login logout token'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'account list')
    flags="--auth-method= --filter= --since= --page-size= $service $out $result $every"
    ;;
  'account get')
    operands=('-')
    flags="$service $out $result $every"
    ;;
  'account create')
    flags="
      --auth-method= --type=password|oidc|ldap --name= --description= --login-name= --issuer= --subject=
      --full-name= --email= --dn= --member-of-groups= --token-claims=:file --userinfo-claims=:file
      --password=:file --no-password $service $writes $out $result $every
    "
    ;;
  'account update')
    operands=('-')
    flags="
      --name= --description= --login-name= --issuer= --subject= --full-name= --email= --dn=
      --member-of-groups= --token-claims=:file --userinfo-claims=:file --at= $service $writes $out $result
      $every
    "
    ;;
  'account delete')
    operands=('-')
    flags="$service $writes $out $result $every"
    ;;
  'account change-password')
    operands=('-')
    flags="--current-password=:file --new-password=:file --at= $service $writes $out $result $every"
    ;;
  'account set-password')
    operands=('-')
    flags="--password=:file --no-password --at= $service $writes $out $result $every"
    ;;
  'account auth-method')
    commands='list get'
    flags="$service $namespace $writes $out $result $every"
    ;;
  'account auth-method list')
    flags="--scope= --filter= $service $out $result $every"
    ;;
  'account auth-method get')
    operands=('-')
    flags="$service $out $result $every"
    ;;
  'account login')
    flags="
      --auth-method= --login-name= --password=:file --no-browser --wait= --no-store $service $writes $out
      $result $every
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
    flags="--all --scope= --filter= $service $out $result $every"
    ;;
  'account token get')
    operands=('-')
    flags="$service $out $result $every"
    ;;
  'account token delete')
    operands=('-')
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
    flags="$out $result $every"
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
  'api')
    operands=('secrets|registry|box|scheduler|accounts' 'GET|LIST|POST|PUT|PATCH|DELETE|RECOVER|SCAN' '-')
    flags="--data=:file $service $namespace $writes $out $result $every"
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
  local commands flags operands words=() path='' kind='' pending='' ended='' helping='' given=0 word
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
    elif [[ $word == --* ]]; then
      _lanyard_takes_value "$word" && pending=1
    elif [[ $word == -?* ]]; then
      _lanyard_letters "${word#-}"
    elif [[ $given == 0 && " $commands " == *" $word "* ]]; then
      path+="${path:+ }$word"
      _lanyard_at "$path"
    else
      ((given += 1))
    fi
    # "help" is followed by the words of any command.
    if [[ $path == help && ! $helping ]]; then
      helping=1 path=''
      _lanyard_at ''
      commands=${commands% help}
    fi
  done

  if [[ $helping ]]; then
    [[ $path ]] || commands+=' flags exit-codes environment formats ssh-certificates running-programs vault consul nomad boundary vagrant'
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
    [[ $prefix$name == "$current"* ]] || continue
    name=$prefix$name
    name=${name#"$kept"}
    # Inside quotes, a name needs no more quoting.
    [[ $raw == *[\"\']* ]] || printf -v name %q "$name"
    COMPREPLY+=("$name")
  done
}

complete -F _lanyard lanyard
