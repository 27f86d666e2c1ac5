import type { ServiceName } from '../wire/services.ts';

/**
 * The names of the operations of each client. A client has its methods before the operations are loaded, and no others:
 * programs that log, serialize or await objects ask for names like `toJSON` and `then`.
 */
export const operationNames: Readonly<Record<ServiceName, readonly string[]>> = {
  secrets: (
    'capabilitiesOfAccessor capabilitiesOfToken checkInitialized checkSeal createCa createCredentials ' +
    'createNamespace createOrphanToken createToken createTokenOfRole createTokenWithId deleteCa deleteIssuer ' +
    'deleteKv deleteKvMetadata deleteKvVersions deleteNamespace deletePolicy deleteRole deleteZeroAddress ' +
    'destroyKv disableAuthMethod disableEngine enableAuthMethod enableEngine findMount findMountIn ' +
    'finishOidcLogin forceRevokeLeases health help importIssuer importNamedIssuer initialize issueKey list ' +
    'listAuthMethods listEngines listIssuers listLeases listLeasesBelow listMounts listNamespaces ' +
    'listPolicies listRoles loginApprole loginCert loginJwt loginUserpass lookUpAccessor lookUpLease ' +
    'lookUpToken lookupRoles lookupSelf makeOidcUrl ownCapabilities patch patchKv patchSecret publicKey ' +
    'putRole putZeroAddress read readAuthMethod readAuthMethodTuning readCa readEngine readEngineTuning ' +
    'readIssuer readKv readKv1 readKvConfig readKvMetadata readNamespace readPolicy readRemount readRole ' +
    'readServiceWide readZeroAddress recoverCa remount remove renewAccessor renewLease renewSelf renewToken ' +
    'revokeAccessor revokeLease revokeLeases revokeOrphan revokeSelf revokeToken seal sealStatus ' +
    'setDefaultIssuer signKey tidyKeys tuneAuthMethod tuneEngine undeleteKv unseal unwrap verifyOtp write ' +
    'writeKv writeKvConfig writeKvMetadata writePolicy writeSecret writeServiceWide'
  ).split(' '),
  registry: (
    'applyTransaction authorize awaitKey bootstrapAcl bootstrapAclWith cloneToken createAuthMethod ' +
    'createBindingRule createExpiringSession createPolicy createQuery createRole createSession createToken ' +
    'deleteAuthMethod deleteBindingRule deleteEntry deleteKey deleteKeys deletePolicy deleteQuery deleteRole ' +
    'deleteSession deleteToken deregisterService executeQuery explainQuery findQueries finishOidcLogin ' +
    'listAgentChecks listAgentServices listAuthMethods listBindingRules listDatacenters listEntries listKeys ' +
    'listNodeSessions listNodes listPolicies listQueries listRoles listServices listSessions listTemplatedPolicies listTokens ' +
    'locateAgent locatePrimary locateServers lockKey login logout makeAuthUrl overrideChain ' +
    'previewTemplatedPolicy readAgent readAgentService readAuthMethod readBindingRule readCaRoots readChain ' +
    'readEntry readKey readKeys readNode readNodeChecks readOwnToken readPolicy readPolicyByName readQuery ' +
    'readReplication readRole readRoleByName readService readSession readTemplatedPolicy readToken ' +
    'readTransaction registerService renewSession translateRules translateTokenRules unlockKey ' +
    'updateAuthMethod updateBindingRule updatePolicy updateQuery updateRole updateToken writeEntry writeKey'
  ).split(' '),
  box: (
    'checkToken confirmUpload createArchitecture createBox createOrganization createProvider createToken ' +
    'createVersion deleteArchitecture deleteBox deleteProvider deleteToken deleteVersion ' +
    'prepareArchitectureUpload prepareDirectArchitectureUpload prepareDirectUpload prepareUpload probeImage ' +
    'readArchitecture readArchitectures readBox readOrganization readProvider readVersion releaseVersion ' +
    'requestCode revokeVersion searchBoxes updateArchitecture updateBox updateProvider updateVersion'
  ).split(' '),
  scheduler: (
    'deleteNamespace deleteVariable listNamespaces listVariables lockVariable readNamespace readOwnToken ' +
    'readVariable releaseLock renewLock writeNamespace writeVariable'
  ).split(' '),
  accounts: (
    'changePassword createAccount createAuthMethod deleteAccount deleteAuthMethod deleteAuthToken ' +
    'findAuthMethods listAccounts listAuthMethods listAuthTokens listOwnTokens listVisibleAuthMethods logIn ' +
    'readAccount readAuthMethod readAuthToken requestOidcToken setPassword startOidcLogin updateAccount ' +
    'updateAuthMethod'
  ).split(' '),
};
