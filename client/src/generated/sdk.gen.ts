// @ts-nocheck
// Made by `npm run openapi` from openapi/openapi.json.

import { type Client, type ClientMeta, type Options as Options2, type RequestResult, type TDataShape, urlSearchParamsBodySerializer } from './client/index.ts';
import type { AcceptInstallLinkData, AcceptInstallLinkErrors, AcceptInstallLinkResponses, AcceptInstallRequestData, AcceptInstallRequestErrors, AcceptInstallRequestResponses, AcceptInvitationData, AcceptInvitationErrors, AcceptInvitationResponses, ChangeAdminSettingsData, ChangeAdminSettingsErrors, ChangeAdminSettingsResponses, ChangeDeveloperData, ChangeDeveloperErrors, ChangeDeveloperMemberData, ChangeDeveloperMemberErrors, ChangeDeveloperMemberResponses, ChangeDeveloperResponses, ChangeMemberOfDeveloperData, ChangeMemberOfDeveloperErrors, ChangeMemberOfDeveloperResponses, ChangeMembershipData, ChangeMembershipErrors, ChangeMembershipResponses, ChangeOwnUserData, ChangeOwnUserErrors, ChangeOwnUserResponses, ChangePartyData, ChangePartyErrors, ChangePartyMemberData, ChangePartyMemberErrors, ChangePartyMemberResponses, ChangePartyResponses, ChangeProductData, ChangeProductErrors, ChangeProductResponses, ChangePurchaseOptionData, ChangePurchaseOptionErrors, ChangePurchaseOptionResponses, ChangeScreenshotData, ChangeScreenshotErrors, ChangeScreenshotResponses, ChangeUserData, ChangeUserErrors, ChangeUserResponses, ChangeUserSettingsData, ChangeUserSettingsErrors, ChangeUserSettingsResponses, ChangeWebhookData, ChangeWebhookErrors, ChangeWebhookResponses, CloseDeveloperData, CloseDeveloperErrors, CloseDeveloperResponses, ClosePartyData, ClosePartyErrors, ClosePartyResponses, CompletePasswordResetData, CompletePasswordResetErrors, CompletePasswordResetResponses, ConfirmEmailChangeData, ConfirmEmailChangeErrors, ConfirmEmailChangeResponses, ConfirmSecondFactorData, ConfirmSecondFactorErrors, ConfirmSecondFactorResponses, CreateAccountTokenData, CreateAccountTokenErrors, CreateAccountTokenResponses, CreateAppData, CreateAppErrors, CreateAppResponses, CreateConnectionData, CreateConnectionErrors, CreateConnectionResponses, CreateCredentialData, CreateCredentialErrors, CreateCredentialResponses, CreateDeveloperData, CreateDeveloperErrors, CreateDeveloperInvitationData, CreateDeveloperInvitationErrors, CreateDeveloperInvitationResponses, CreateDeveloperResponses, CreateDeveloperTokenData, CreateDeveloperTokenErrors, CreateDeveloperTokenResponses, CreateEmailChangeData, CreateEmailChangeErrors, CreateEmailChangeResponses, CreateInstallationTokenData, CreateInstallationTokenErrors, CreateInstallationTokenResponses, CreateInstallLinkData, CreateInstallLinkErrors, CreateInstallLinkResponses, CreateInstallRequestData, CreateInstallRequestErrors, CreateInstallRequestResponses, CreateInvitationData, CreateInvitationErrors, CreateInvitationResponses, CreateMemberOfDeveloperData, CreateMemberOfDeveloperErrors, CreateMemberOfDeveloperResponses, CreateMembershipData, CreateMembershipErrors, CreateMembershipResponses, CreateOAuthTokenData, CreateOAuthTokenErrors, CreateOAuthTokenResponses, CreateOwnCredentialData, CreateOwnCredentialErrors, CreateOwnCredentialResponses, CreatePartyData, CreatePartyErrors, CreatePartyInvitationData, CreatePartyInvitationErrors, CreatePartyInvitationResponses, CreatePartyResponses, CreatePasswordResetData, CreatePasswordResetErrors, CreatePasswordResetResponses, CreateRecoveryCodesData, CreateRecoveryCodesErrors, CreateRecoveryCodesResponses, CreateScreenshotData, CreateScreenshotErrors, CreateScreenshotResponses, CreateSecondFactorData, CreateSecondFactorErrors, CreateSecondFactorResponses, CreateUserData, CreateUserErrors, CreateUserPasswordResetData, CreateUserPasswordResetErrors, CreateUserPasswordResetResponses, CreateUserResponses, CreateWebhookData, CreateWebhookErrors, CreateWebhookResponses, DeclineInstallRequestData, DeclineInstallRequestErrors, DeclineInstallRequestResponses, DeleteAppData, DeleteAppErrors, DeleteAppResponses, DeleteConnectionData, DeleteConnectionErrors, DeleteConnectionResponses, DeleteCredentialData, DeleteCredentialErrors, DeleteCredentialResponses, DeleteDeveloperInvitationData, DeleteDeveloperInvitationErrors, DeleteDeveloperInvitationResponses, DeleteDeveloperMemberData, DeleteDeveloperMemberErrors, DeleteDeveloperMemberResponses, DeleteEventConsumerData, DeleteEventConsumerErrors, DeleteEventConsumerResponses, DeleteIconData, DeleteIconErrors, DeleteIconResponses, DeleteInstallLinkData, DeleteInstallLinkErrors, DeleteInstallLinkResponses, DeleteInstallRequestData, DeleteInstallRequestErrors, DeleteInstallRequestResponses, DeleteInvitationData, DeleteInvitationErrors, DeleteInvitationResponses, DeleteMemberOfDeveloperData, DeleteMemberOfDeveloperErrors, DeleteMemberOfDeveloperResponses, DeleteMembershipData, DeleteMembershipErrors, DeleteMembershipResponses, DeleteOwnCredentialData, DeleteOwnCredentialErrors, DeleteOwnCredentialResponses, DeleteOwnUserData, DeleteOwnUserErrors, DeleteOwnUserResponses, DeletePartyInvitationData, DeletePartyInvitationErrors, DeletePartyInvitationResponses, DeletePartyMemberData, DeletePartyMemberErrors, DeletePartyMemberResponses, DeleteProductData, DeleteProductErrors, DeleteProductResponses, DeleteScreenshotData, DeleteScreenshotErrors, DeleteScreenshotResponses, DeleteSecondFactorData, DeleteSecondFactorErrors, DeleteSecondFactorResponses, DeleteSessionData, DeleteSessionErrors, DeleteSessionResponses, DeleteSessionsData, DeleteSessionsErrors, DeleteSessionsResponses, DeleteTermsDocumentData, DeleteTermsDocumentErrors, DeleteTermsDocumentResponses, DeleteTermsPdfData, DeleteTermsPdfErrors, DeleteTermsPdfResponses, DeleteUserData, DeleteUserErrors, DeleteUserResponses, DeleteUserSecondFactorData, DeleteUserSecondFactorErrors, DeleteUserSecondFactorResponses, DeleteWebhookData, DeleteWebhookErrors, DeleteWebhookResponses, DisableWebhookData, DisableWebhookErrors, DisableWebhookResponses, EnableWebhookData, EnableWebhookErrors, EnableWebhookResponses, ExportAuditEntriesData, ExportAuditEntriesErrors, ExportAuditEntriesResponses, ExportOwnDataData, ExportOwnDataErrors, ExportOwnDataResponses, HideAppData, HideAppErrors, HideAppResponses, ImportProductsData, ImportProductsErrors, ImportProductsResponses, InstallAppData, InstallAppErrors, InstallAppInSandboxData, InstallAppInSandboxErrors, InstallAppInSandboxResponses, InstallAppResponses, IntrospectOAuthTokenData, IntrospectOAuthTokenErrors, IntrospectOAuthTokenResponses, IntrospectTokenData, IntrospectTokenErrors, IntrospectTokenResponses, ListAccountAcceptancesData, ListAccountAcceptancesErrors, ListAccountAcceptancesResponses, ListAccountAuditEntriesData, ListAccountAuditEntriesErrors, ListAccountAuditEntriesResponses, ListAccountInstallationsData, ListAccountInstallationsErrors, ListAccountInstallationsResponses, ListAllAppsData, ListAllAppsErrors, ListAllAppsResponses, ListAllInstallationsData, ListAllInstallationsErrors, ListAllInstallationsResponses, ListAppsData, ListAppsErrors, ListAppsResponses, ListAppVersionsData, ListAppVersionsErrors, ListAppVersionsResponses, ListAuditEntriesData, ListAuditEntriesErrors, ListAuditEntriesResponses, ListConnectionsData, ListConnectionsErrors, ListConnectionsResponses, ListCredentialsData, ListCredentialsErrors, ListCredentialsResponses, ListDeveloperAcceptancesData, ListDeveloperAcceptancesErrors, ListDeveloperAcceptancesResponses, ListDeveloperAuditEntriesData, ListDeveloperAuditEntriesErrors, ListDeveloperAuditEntriesResponses, ListDeveloperInvitationsData, ListDeveloperInvitationsErrors, ListDeveloperInvitationsResponses, ListDeveloperMembersData, ListDeveloperMembersErrors, ListDeveloperMembersResponses, ListDevelopersData, ListDevelopersErrors, ListDevelopersResponses, ListEventConsumersData, ListEventConsumersErrors, ListEventConsumersResponses, ListEventsData, ListEventsErrors, ListEventsResponses, ListEventTypesData, ListEventTypesErrors, ListEventTypesResponses, ListImportsData, ListImportsErrors, ListImportsResponses, ListInstallationsData, ListInstallationsErrors, ListInstallationsResponses, ListInstallLinksData, ListInstallLinksErrors, ListInstallLinksResponses, ListInstallRequestsData, ListInstallRequestsErrors, ListInstallRequestsResponses, ListInvitationsData, ListInvitationsErrors, ListInvitationsResponses, ListMembersOfDeveloperData, ListMembersOfDeveloperErrors, ListMembersOfDeveloperResponses, ListNotificationsData, ListNotificationsErrors, ListNotificationsResponses, ListOperatorAcceptancesData, ListOperatorAcceptancesErrors, ListOperatorAcceptancesResponses, ListOwnAppsData, ListOwnAppsErrors, ListOwnAppsResponses, ListOwnCredentialsData, ListOwnCredentialsErrors, ListOwnCredentialsResponses, ListPartiesData, ListPartiesErrors, ListPartiesResponses, ListPartyInvitationsData, ListPartyInvitationsErrors, ListPartyInvitationsResponses, ListPartyMembersData, ListPartyMembersErrors, ListPartyMembersResponses, ListPermissionsData, ListPermissionsErrors, ListPermissionsResponses, ListProductChangesData, ListProductChangesErrors, ListProductChangesResponses, ListProductsData, ListProductsErrors, ListProductsResponses, ListSessionsData, ListSessionsErrors, ListSessionsResponses, ListUsersData, ListUsersErrors, ListUsersResponses, ListWaitingUpgradesData, ListWaitingUpgradesErrors, ListWaitingUpgradesResponses, ListWebhookDeliveriesData, ListWebhookDeliveriesErrors, ListWebhookDeliveriesResponses, ListWebhooksData, ListWebhooksErrors, ListWebhooksResponses, MarkNotificationsReadData, MarkNotificationsReadErrors, MarkNotificationsReadResponses, PreviewPurchaseOptionData, PreviewPurchaseOptionErrors, PreviewPurchaseOptionResponses, PreviewUpgradeData, PreviewUpgradeErrors, PreviewUpgradeResponses, QuoteInstallationData, QuoteInstallationErrors, QuoteInstallationResponses, QuotePurchaseOptionData, QuotePurchaseOptionErrors, QuotePurchaseOptionResponses, ReadAccountAcceptedTermsDocumentData, ReadAccountAcceptedTermsDocumentErrors, ReadAccountAcceptedTermsDocumentResponses, ReadAccountAppData, ReadAccountAppErrors, ReadAccountAppResponses, ReadAccountInstallationData, ReadAccountInstallationErrors, ReadAccountInstallationResponses, ReadAccountInstallationUsageData, ReadAccountInstallationUsageErrors, ReadAccountInstallationUsageResponses, ReadAnyAppData, ReadAnyAppErrors, ReadAnyAppResponses, ReadAnyInstallationData, ReadAnyInstallationErrors, ReadAnyInstallationResponses, ReadAnyInstallationUsageData, ReadAnyInstallationUsageErrors, ReadAnyInstallationUsageResponses, ReadAppData, ReadAppDefinitionData, ReadAppDefinitionErrors, ReadAppDefinitionResponses, ReadAppErrors, ReadAppListingData, ReadAppListingErrors, ReadAppListingResponses, ReadAppResponses, ReadAppVersionChangesData, ReadAppVersionChangesErrors, ReadAppVersionChangesResponses, ReadAppVersionData, ReadAppVersionErrors, ReadAppVersionResponses, ReadDeveloperAcceptedTermsDocumentData, ReadDeveloperAcceptedTermsDocumentErrors, ReadDeveloperAcceptedTermsDocumentResponses, ReadDeveloperData, ReadDeveloperErrors, ReadDeveloperResponses, ReadImportData, ReadImportErrors, ReadImportResponses, ReadInstallationData, ReadInstallationErrors, ReadInstallationResponses, ReadInstallationUsageData, ReadInstallationUsageErrors, ReadInstallationUsageResponses, ReadInstalledTermsDocumentData, ReadInstalledTermsDocumentErrors, ReadInstalledTermsDocumentResponses, ReadInstalledTermsPdfData, ReadInstalledTermsPdfErrors, ReadInstalledTermsPdfResponses, ReadKeysData, ReadKeysErrors, ReadKeysResponses, ReadLivenessData, ReadLivenessErrors, ReadLivenessResponses, ReadMetricsData, ReadMetricsErrors, ReadMetricsResponses, ReadOperatorAcceptedTermsDocumentData, ReadOperatorAcceptedTermsDocumentErrors, ReadOperatorAcceptedTermsDocumentResponses, ReadOwnAppData, ReadOwnAppErrors, ReadOwnAppResponses, ReadOwnDeveloperData, ReadOwnDeveloperErrors, ReadOwnDeveloperResponses, ReadOwnInstallationData, ReadOwnInstallationErrors, ReadOwnInstallationResponses, ReadOwnTermsDocumentData, ReadOwnTermsDocumentErrors, ReadOwnTermsDocumentResponses, ReadOwnTermsPdfData, ReadOwnTermsPdfErrors, ReadOwnTermsPdfResponses, ReadOwnUserData, ReadOwnUserErrors, ReadOwnUserResponses, ReadPartyData, ReadPartyErrors, ReadPartyResponses, ReadProductData, ReadProductErrors, ReadProductResponses, ReadProfileData, ReadProfileErrors, ReadProfileResponses, ReadReadinessData, ReadReadinessErrors, ReadReadinessResponses, ReadSecondFactorData, ReadSecondFactorErrors, ReadSecondFactorResponses, ReadServerMetadataData, ReadServerMetadataErrors, ReadServerMetadataOfAppData, ReadServerMetadataOfAppErrors, ReadServerMetadataOfAppResponses, ReadServerMetadataResponses, ReadTermsDocumentData, ReadTermsDocumentErrors, ReadTermsDocumentResponses, ReadTermsPdfData, ReadTermsPdfErrors, ReadTermsPdfResponses, ReadUpgradeTermsDocumentData, ReadUpgradeTermsDocumentErrors, ReadUpgradeTermsDocumentResponses, ReadUpgradeTermsPdfData, ReadUpgradeTermsPdfErrors, ReadUpgradeTermsPdfResponses, ReadUserData, ReadUserErrors, ReadUserResponses, ReadVisibilityData, ReadVisibilityErrors, ReadVisibilityResponses, ReadWebhookData, ReadWebhookDeliveryData, ReadWebhookDeliveryErrors, ReadWebhookDeliveryResponses, ReadWebhookErrors, ReadWebhookResponses, RecoverWebhookData, RecoverWebhookErrors, RecoverWebhookResponses, ReplaceAppData, ReplaceAppErrors, ReplaceAppListingData, ReplaceAppListingErrors, ReplaceAppListingResponses, ReplaceAppResponses, ReplaceEventConsumerData, ReplaceEventConsumerErrors, ReplaceEventConsumerResponses, ReplaceIconData, ReplaceIconErrors, ReplaceIconResponses, ReplaceScreenshotOrderData, ReplaceScreenshotOrderErrors, ReplaceScreenshotOrderResponses, ReplaceTermsDocumentData, ReplaceTermsDocumentErrors, ReplaceTermsDocumentResponses, ReplaceTermsPdfData, ReplaceTermsPdfErrors, ReplaceTermsPdfResponses, ReplaceUserPasswordData, ReplaceUserPasswordErrors, ReplaceUserPasswordResponses, ReplaceVisibilityData, ReplaceVisibilityErrors, ReplaceVisibilityResponses, ReplayWebhookDeliveryData, ReplayWebhookDeliveryErrors, ReplayWebhookDeliveryResponses, ReportSecretData, ReportSecretErrors, ReportSecretResponses, ResumeAppAsOperatorData, ResumeAppAsOperatorErrors, ResumeAppAsOperatorResponses, ResumeDeveloperAsOperatorData, ResumeDeveloperAsOperatorErrors, ResumeDeveloperAsOperatorResponses, ResumeInstallationAsOperatorData, ResumeInstallationAsOperatorErrors, ResumeInstallationAsOperatorResponses, ResumeInstallationData, ResumeInstallationErrors, ResumeInstallationResponses, ResumePartyAsOperatorData, ResumePartyAsOperatorErrors, ResumePartyAsOperatorResponses, ResumeUserAsOperatorData, ResumeUserAsOperatorErrors, ResumeUserAsOperatorResponses, RevokeOAuthTokenData, RevokeOAuthTokenErrors, RevokeOAuthTokenResponses, RevokeTokensData, RevokeTokensErrors, RevokeTokensResponses, RotateWebhookSecretData, RotateWebhookSecretErrors, RotateWebhookSecretResponses, ShowAppData, ShowAppErrors, ShowAppResponses, SuspendAppAsOperatorData, SuspendAppAsOperatorErrors, SuspendAppAsOperatorResponses, SuspendDeveloperAsOperatorData, SuspendDeveloperAsOperatorErrors, SuspendDeveloperAsOperatorResponses, SuspendInstallationAsOperatorData, SuspendInstallationAsOperatorErrors, SuspendInstallationAsOperatorResponses, SuspendInstallationData, SuspendInstallationErrors, SuspendInstallationResponses, SuspendPartyAsOperatorData, SuspendPartyAsOperatorErrors, SuspendPartyAsOperatorResponses, SuspendUserAsOperatorData, SuspendUserAsOperatorErrors, SuspendUserAsOperatorResponses, TestWebhookData, TestWebhookErrors, TestWebhookResponses, UninstallAppAsDeveloperData, UninstallAppAsDeveloperErrors, UninstallAppAsDeveloperResponses, UninstallAppData, UninstallAppErrors, UninstallAppResponses, UpgradeInstallationData, UpgradeInstallationErrors, UpgradeInstallationResponses, UpsertProductData, UpsertProductErrors, UpsertProductResponses, UpsertProductsData, UpsertProductsErrors, UpsertProductsResponses } from './types.gen.ts';

export type Options<TData extends TDataShape = TDataShape, ThrowOnError extends boolean = boolean, TResponse = unknown> = Options2<TData, ThrowOnError, TResponse> & {
    /**
     * You can provide a client instance returned by `createClient()` instead of
     * individual options. This might be also useful if you want to implement a
     * custom client.
     */
    client: Client;
    /**
     * You can pass arbitrary values through the `meta` object. This can be
     * used to access values that aren't defined as part of the SDK function.
     */
    meta?: keyof ClientMeta extends never ? Record<string, unknown> : ClientMeta;
};

/**
 * Obtain a developer token
 *
 * Exchanges developer credentials for a developer token. Keep the token secret: it acts on all installations of your apps, and ends with the credential. Unknown properties are ignored. A 401 has `WWW-Authenticate: Password`, our name for a password in the body.
 */
export const createDeveloperToken = <ThrowOnError extends boolean = true>(options: Options<CreateDeveloperTokenData, ThrowOnError>): RequestResult<CreateDeveloperTokenResponses, CreateDeveloperTokenErrors, ThrowOnError> => options.client.post<CreateDeveloperTokenResponses, CreateDeveloperTokenErrors, ThrowOnError>({
    url: '/v1/Auth',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Obtain an account token
 *
 * Exchanges email and password of a user for a token that acts as that user, in its accounts and, for an operator, on the operator endpoints. It ends with the password. A user with a second factor sends a code of it as `otp`; without one the response is `second_factor_required`, also for a user who has to turn one on first. Each code is accepted once. Unknown properties are ignored. A 401 has `WWW-Authenticate: Password`, our name for a password in the body.
 */
export const createAccountToken = <ThrowOnError extends boolean = true>(options: Options<CreateAccountTokenData, ThrowOnError>): RequestResult<CreateAccountTokenResponses, CreateAccountTokenErrors, ThrowOnError> => options.client.post<CreateAccountTokenResponses, CreateAccountTokenErrors, ThrowOnError>({
    url: '/v1/Account/Auth',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the apps of the catalogue
 *
 * Listed apps, with the definition that new installations get.
 */
export const listApps = <ThrowOnError extends boolean = true>(options: Options<ListAppsData, ThrowOnError>): RequestResult<ListAppsResponses, ListAppsErrors, ThrowOnError> => options.client.get<ListAppsResponses, ListAppsErrors, ThrowOnError>({ url: '/v1/Apps', ...options });

/**
 * Read an app of the catalogue
 *
 * The definition that new installations get. A draft and a private app get 404, like an unknown one.
 */
export const readApp = <ThrowOnError extends boolean = true>(options: Options<ReadAppData, ThrowOnError>): RequestResult<ReadAppResponses, ReadAppErrors, ThrowOnError> => options.client.get<ReadAppResponses, ReadAppErrors, ThrowOnError>({ url: '/v1/Apps/{appId}', ...options });

/**
 * Quote a purchase option for a number of products
 *
 * What the option costs an account that has so many products, with the arithmetic in words.
 */
export const quotePurchaseOption = <ThrowOnError extends boolean = true>(options: Options<QuotePurchaseOptionData, ThrowOnError>): RequestResult<QuotePurchaseOptionResponses, QuotePurchaseOptionErrors, ThrowOnError> => options.client.get<QuotePurchaseOptionResponses, QuotePurchaseOptionErrors, ThrowOnError>({ url: '/v1/Apps/{appId}/PurchaseOptions/{purchaseOptionId}/Quote', ...options });

/**
 * List all permissions
 *
 * What apps can ask for: the id of each permission, what it opens, and how users read it.
 */
export const listPermissions = <ThrowOnError extends boolean = true>(options: Options<ListPermissionsData, ThrowOnError>): RequestResult<ListPermissionsResponses, ListPermissionsErrors, ThrowOnError> => options.client.get<ListPermissionsResponses, ListPermissionsErrors, ThrowOnError>({ url: '/v1/Permissions', ...options });

/**
 * Read the terms document of an app
 *
 * The document that an account accepts when it installs the app. The response is a file to be saved.
 */
export const readTermsDocument = <ThrowOnError extends boolean = true>(options: Options<ReadTermsDocumentData, ThrowOnError>): RequestResult<ReadTermsDocumentResponses, ReadTermsDocumentErrors, ThrowOnError> => options.client.get<ReadTermsDocumentResponses, ReadTermsDocumentErrors, ThrowOnError>({ url: '/v1/Apps/{appId}/TermsDocument', ...options });

/**
 * Read the PDF beside the terms of an app
 *
 * What accounts accept is the text; this is a file to be saved. 404 where there is none.
 */
export const readTermsPdf = <ThrowOnError extends boolean = true>(options: Options<ReadTermsPdfData, ThrowOnError>): RequestResult<ReadTermsPdfResponses, ReadTermsPdfErrors, ThrowOnError> => options.client.get<ReadTermsPdfResponses, ReadTermsPdfErrors, ThrowOnError>({ url: '/v1/Apps/{appId}/TermsDocument/Pdf', ...options });

/**
 * List all types of events
 *
 * Each with the JSON Schema of the whole event and an example. Later releases may add types and members.
 */
export const listEventTypes = <ThrowOnError extends boolean = true>(options: Options<ListEventTypesData, ThrowOnError>): RequestResult<ListEventTypesResponses, ListEventTypesErrors, ThrowOnError> => options.client.get<ListEventTypesResponses, ListEventTypesErrors, ThrowOnError>({ url: '/v1/EventTypes', ...options });

/**
 * Read the public keys that verify tokens
 *
 * A JSON Web Key Set (RFC 7517). A token that verifies offline may still have been revoked; this server also checks that at each request.
 */
export const readKeys = <ThrowOnError extends boolean = true>(options: Options<ReadKeysData, ThrowOnError>): RequestResult<ReadKeysResponses, ReadKeysErrors, ThrowOnError> => options.client.get<ReadKeysResponses, ReadKeysErrors, ThrowOnError>({ url: '/.well-known/jwks.json', ...options });

/**
 * Read where tokens are made, verified and revoked
 *
 * Authorization server metadata (RFC 8414). Each app has an authorization endpoint of its own: for the redirect and its codes, read the metadata of the app.
 */
export const readServerMetadata = <ThrowOnError extends boolean = true>(options: Options<ReadServerMetadataData, ThrowOnError>): RequestResult<ReadServerMetadataResponses, ReadServerMetadataErrors, ThrowOnError> => options.client.get<ReadServerMetadataResponses, ReadServerMetadataErrors, ThrowOnError>({ url: '/.well-known/oauth-authorization-server', ...options });

/**
 * Read the metadata for the redirect of one app
 *
 * Authorization server metadata (RFC 8414) for the issuer `/Apps/{appId}`. It is the same for every id that an app can have: strangers do not learn which apps there are.
 */
export const readServerMetadataOfApp = <ThrowOnError extends boolean = true>(options: Options<ReadServerMetadataOfAppData, ThrowOnError>): RequestResult<ReadServerMetadataOfAppResponses, ReadServerMetadataOfAppErrors, ThrowOnError> => options.client.get<ReadServerMetadataOfAppResponses, ReadServerMetadataOfAppErrors, ThrowOnError>({ url: '/.well-known/oauth-authorization-server/Apps/{appId}', ...options });

/**
 * Exchange a code, a password or a developer token for a token
 *
 * The token endpoint of OAuth 2.0 (RFC 6749). `authorization_code` exchanges the code of the redirect, with PKCE; a client without a password sends its `client_id` alone. `client_credentials` is `POST /v1/Auth`. The token exchange (RFC 8693) is `POST /v1/Developer/Token`. The client is a credential of a developer: its id and password as `Authorization: Basic` or as `client_id` and `client_secret`.
 */
export const createOAuthToken = <ThrowOnError extends boolean = true>(options: Options<CreateOAuthTokenData, ThrowOnError>): RequestResult<CreateOAuthTokenResponses, CreateOAuthTokenErrors, ThrowOnError> => options.client.post<CreateOAuthTokenResponses, CreateOAuthTokenErrors, ThrowOnError>({
    ...urlSearchParamsBodySerializer,
    url: '/oauth/token',
    ...options,
    headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        ...options.headers
    }
});

/**
 * Revoke a token as an OAuth client
 *
 * RFC 7009, for tokens of the client's own apps. A token that is unknown or not the client's is answered with 200 too. The client is a credential of a developer: its id and password as `Authorization: Basic` or as `client_id` and `client_secret`. A client without a password sends its `client_id` alone; if the token is not of that client, and has not run out, the answer is `invalid_client` and nothing is revoked.
 */
export const revokeOAuthToken = <ThrowOnError extends boolean = true>(options: Options<RevokeOAuthTokenData, ThrowOnError>): RequestResult<RevokeOAuthTokenResponses, RevokeOAuthTokenErrors, ThrowOnError> => options.client.post<RevokeOAuthTokenResponses, RevokeOAuthTokenErrors, ThrowOnError>({
    ...urlSearchParamsBodySerializer,
    url: '/oauth/revoke',
    ...options,
    headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        ...options.headers
    }
});

/**
 * Ask as an OAuth client whether a token would be accepted now
 *
 * RFC 7662, for installation tokens of the client's own apps. Anything else is `{"active": false}`. The client is a credential of a developer: its id and password as `Authorization: Basic` or as `client_id` and `client_secret`.
 */
export const introspectOAuthToken = <ThrowOnError extends boolean = true>(options: Options<IntrospectOAuthTokenData, ThrowOnError>): RequestResult<IntrospectOAuthTokenResponses, IntrospectOAuthTokenErrors, ThrowOnError> => options.client.post<IntrospectOAuthTokenResponses, IntrospectOAuthTokenErrors, ThrowOnError>({
    ...urlSearchParamsBodySerializer,
    url: '/oauth/introspect',
    ...options,
    headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        ...options.headers
    }
});

/**
 * Report a leaked secret
 *
 * For anybody. If it is a live secret of this marketplace it ends at once and its owner is told: the generated password of a credential (`amkt_client_...`, with its tokens), a token, a code of the redirect (`amc_...`), a link (`amkt_link_...`), an install link (`amkt_install_...`) or the secret of a webhook endpoint (`whsec_...`). The answer is the same, after the same time, for whatever is reported.
 */
export const reportSecret = <ThrowOnError extends boolean = true>(options: Options<ReportSecretData, ThrowOnError>): RequestResult<ReportSecretResponses, ReportSecretErrors, ThrowOnError> => options.client.post<ReportSecretResponses, ReportSecretErrors, ThrowOnError>({
    url: '/v1/Secrets/Report',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Accept an invitation
 *
 * A new user gives a `password`, and so does one whose address nobody has proved; others keep theirs. An existing user must send an account token with a link that was not mailed. The link works once: of uses at once one succeeds, the others get `invalid_link`.
 */
export const acceptInvitation = <ThrowOnError extends boolean = true>(options: Options<AcceptInvitationData, ThrowOnError>): RequestResult<AcceptInvitationResponses, AcceptInvitationErrors, ThrowOnError> => options.client.post<AcceptInvitationResponses, AcceptInvitationErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Invitations/Accept',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Ask for a link for a new password
 *
 * For anybody. If the address is that of a user, a link is mailed to it that works once, for 30 minutes; the password stays until then. The answer is the same, after the same work, for every address. It is limited as sign-ins are. A marketplace without a mail server mails nothing: its operator makes such links. Where users sign in by single sign-on only, every address is answered `password_login_off`.
 */
export const createPasswordReset = <ThrowOnError extends boolean = true>(options: Options<CreatePasswordResetData, ThrowOnError>): RequestResult<CreatePasswordResetResponses, CreatePasswordResetErrors, ThrowOnError> => options.client.post<CreatePasswordResetResponses, CreatePasswordResetErrors, ThrowOnError>({
    url: '/v1/Account/PasswordReset',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Set a new password with a link
 *
 * The link is enough, without a token. The user's sessions end at once; its account tokens and tokens from the redirect are refused from the next request on. The link works once: of several uses at the same moment one succeeds, and the others are refused with `invalid_link`.
 */
export const completePasswordReset = <ThrowOnError extends boolean = true>(options: Options<CompletePasswordResetData, ThrowOnError>): RequestResult<CompletePasswordResetResponses, CompletePasswordResetErrors, ThrowOnError> => options.client.post<CompletePasswordResetResponses, CompletePasswordResetErrors, ThrowOnError>({
    url: '/v1/Account/PasswordReset/Complete',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Confirm a change of email with a link
 *
 * The link is enough, without a token. When both addresses have confirmed, the user signs in with the new one; sessions and tokens stay, other open links of the user end. `already_exists`: somebody else got the new address meanwhile.
 */
export const confirmEmailChange = <ThrowOnError extends boolean = true>(options: Options<ConfirmEmailChangeData, ThrowOnError>): RequestResult<ConfirmEmailChangeResponses, ConfirmEmailChangeErrors, ThrowOnError> => options.client.post<ConfirmEmailChangeResponses, ConfirmEmailChangeErrors, ThrowOnError>({
    url: '/v1/Account/EmailChange/Confirm',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Whether the process is alive
 *
 * 200 while the process responds; it asks neither the database nor anything else.
 */
export const readLiveness = <ThrowOnError extends boolean = true>(options: Options<ReadLivenessData, ThrowOnError>): RequestResult<ReadLivenessResponses, ReadLivenessErrors, ThrowOnError> => options.client.get<ReadLivenessResponses, ReadLivenessErrors, ThrowOnError>({ url: '/livez', ...options });

/**
 * Whether the server can answer requests
 *
 * 503 while the database is away or has a schema that this release cannot work with, and while the server shuts down.
 */
export const readReadiness = <ThrowOnError extends boolean = true>(options: Options<ReadReadinessData, ThrowOnError>): RequestResult<ReadReadinessResponses, ReadReadinessErrors, ThrowOnError> => options.client.get<ReadReadinessResponses, ReadReadinessErrors, ThrowOnError>({ url: '/readyz', ...options });

/**
 * List the installations of your apps
 *
 * Oldest first. Passwords among the settings come in clear, unless `secrets=omit`: treat the answer as a secret.
 */
export const listInstallations = <ThrowOnError extends boolean = true>(options: Options<ListInstallationsData, ThrowOnError>): RequestResult<ListInstallationsResponses, ListInstallationsErrors, ThrowOnError> => options.client.get<ListInstallationsResponses, ListInstallationsErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Installations',
    ...options
});

/**
 * Uninstall
 *
 * Final: its tokens are refused and its stored passwords are erased. Every later change gets `conflict`. After a suspension by the operator the account can install the app again only when the operator resumes the installation.
 */
export const uninstallAppAsDeveloper = <ThrowOnError extends boolean = true>(options: Options<UninstallAppAsDeveloperData, ThrowOnError>): RequestResult<UninstallAppAsDeveloperResponses, UninstallAppAsDeveloperErrors, ThrowOnError> => options.client.delete<UninstallAppAsDeveloperResponses, UninstallAppAsDeveloperErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Installations/{installationId}',
    ...options
});

/**
 * Read one installation
 *
 * Uninstalled ones included.
 */
export const readInstallation = <ThrowOnError extends boolean = true>(options: Options<ReadInstallationData, ThrowOnError>): RequestResult<ReadInstallationResponses, ReadInstallationErrors, ThrowOnError> => options.client.get<ReadInstallationResponses, ReadInstallationErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Installations/{installationId}',
    ...options
});

/**
 * Quote what an installation costs now
 *
 * Without `records` it counts the products that the party has now.
 */
export const quoteInstallation = <ThrowOnError extends boolean = true>(options: Options<QuoteInstallationData, ThrowOnError>): RequestResult<QuoteInstallationResponses, QuoteInstallationErrors, ThrowOnError> => options.client.get<QuoteInstallationResponses, QuoteInstallationErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Installations/{installationId}/Quote',
    ...options
});

/**
 * Change the admin settings of an installation
 *
 * A merge patch of the admin settings. `If-Match` with the ETag of the installation keeps you from overwriting the change of somebody else.
 */
export const changeAdminSettings = <ThrowOnError extends boolean = true>(options: Options<ChangeAdminSettingsData, ThrowOnError>): RequestResult<ChangeAdminSettingsResponses, ChangeAdminSettingsErrors, ThrowOnError> => options.client.patch<ChangeAdminSettingsResponses, ChangeAdminSettingsErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Installations/{installationId}/AdminSettings',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Suspend an installation
 *
 * Its tokens are refused from the next request on. When you resume it, tokens that have not expired work again.
 */
export const suspendInstallation = <ThrowOnError extends boolean = true>(options: Options<SuspendInstallationData, ThrowOnError>): RequestResult<SuspendInstallationResponses, SuspendInstallationErrors, ThrowOnError> => options.client.post<SuspendInstallationResponses, SuspendInstallationErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Installations/{installationId}/Suspend',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Resume a suspended installation
 *
 * Only the operator can resume what the operator has suspended.
 */
export const resumeInstallation = <ThrowOnError extends boolean = true>(options: Options<ResumeInstallationData, ThrowOnError>): RequestResult<ResumeInstallationResponses, ResumeInstallationErrors, ThrowOnError> => options.client.post<ResumeInstallationResponses, ResumeInstallationErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Installations/{installationId}/Resume',
    ...options
});

/**
 * Install your app in your sandbox
 *
 * Works whether the app is listed or not, and replaces an earlier installation in the sandbox. Without a body it takes the first purchase option. Mandatory settings that are left out get sample values.
 */
export const installAppInSandbox = <ThrowOnError extends boolean = true>(options: Options<InstallAppInSandboxData, ThrowOnError>): RequestResult<InstallAppInSandboxResponses, InstallAppInSandboxErrors, ThrowOnError> => options.client.post<InstallAppInSandboxResponses, InstallAppInSandboxErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Sandbox',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List what was accepted for an installation
 *
 * Acknowledgements, terms and permissions at the install and at each upgrade, oldest first, in the words that they had then. Uninstalled installations included.
 */
export const listDeveloperAcceptances = <ThrowOnError extends boolean = true>(options: Options<ListDeveloperAcceptancesData, ThrowOnError>): RequestResult<ListDeveloperAcceptancesResponses, ListDeveloperAcceptancesErrors, ThrowOnError> => options.client.get<ListDeveloperAcceptancesResponses, ListDeveloperAcceptancesErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Installations/{installationId}/Acceptances',
    ...options
});

/**
 * Read a terms document that was accepted
 *
 * The document with this hash, also one that an upgrade has replaced. The response is a file to be saved.
 */
export const readDeveloperAcceptedTermsDocument = <ThrowOnError extends boolean = true>(options: Options<ReadDeveloperAcceptedTermsDocumentData, ThrowOnError>): RequestResult<ReadDeveloperAcceptedTermsDocumentResponses, ReadDeveloperAcceptedTermsDocumentErrors, ThrowOnError> => options.client.get<ReadDeveloperAcceptedTermsDocumentResponses, ReadDeveloperAcceptedTermsDocumentErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Installations/{installationId}/Acceptances/{sha256}/TermsDocument',
    ...options
});

/**
 * Read how an installation is used
 *
 * Requests, products and refusals by day and permission, and when each permission was used last. Each server process counts in memory and writes once a minute: the last minute is not in it, and of a server that is killed never will be. At most 400 days, which is how long they are kept.
 */
export const readInstallationUsage = <ThrowOnError extends boolean = true>(options: Options<ReadInstallationUsageData, ThrowOnError>): RequestResult<ReadInstallationUsageResponses, ReadInstallationUsageErrors, ThrowOnError> => options.client.get<ReadInstallationUsageResponses, ReadInstallationUsageErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Installations/{installationId}/Usage',
    ...options
});

/**
 * Generate a bearer token for one installation
 *
 * The token may be given to a client such as a browser: it expires, and it is limited to the permissions of the installation. It also ends when the credential of your developer token is removed. Unknown properties are ignored.
 */
export const createInstallationToken = <ThrowOnError extends boolean = true>(options: Options<CreateInstallationTokenData, ThrowOnError>): RequestResult<CreateInstallationTokenResponses, CreateInstallationTokenErrors, ThrowOnError> => options.client.post<CreateInstallationTokenResponses, CreateInstallationTokenErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Token',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Revoke a token, or all tokens of an installation
 *
 * Takes `{token}` or `{installationId}`. Revoked tokens are refused from the next request on. A token that is unknown, has run out or is not yours is answered with 200 too (RFC 7009).
 */
export const revokeTokens = <ThrowOnError extends boolean = true>(options: Options<RevokeTokensData, ThrowOnError>): RequestResult<RevokeTokensResponses, RevokeTokensErrors, ThrowOnError> => options.client.post<RevokeTokensResponses, RevokeTokensErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Token/Revoke',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Ask whether a token of your installations would be accepted now
 *
 * The answer of RFC 7662. Whatever is not a live token of an installation of your apps is `{"active": false}`.
 */
export const introspectToken = <ThrowOnError extends boolean = true>(options: Options<IntrospectTokenData, ThrowOnError>): RequestResult<IntrospectTokenResponses, IntrospectTokenErrors, ThrowOnError> => options.client.post<IntrospectTokenResponses, IntrospectTokenErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Token/Introspect',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get the token's developer
 *
 * The developer of the token, its sandbox, and the limits that apply to it.
 */
export const readOwnDeveloper = <ThrowOnError extends boolean = true>(options: Options<ReadOwnDeveloperData, ThrowOnError>): RequestResult<ReadOwnDeveloperResponses, ReadOwnDeveloperErrors, ThrowOnError> => options.client.get<ReadOwnDeveloperResponses, ReadOwnDeveloperErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer',
    ...options
});

/**
 * List your live credentials
 *
 * Oldest first, each with the time of the last sign-in.
 */
export const listOwnCredentials = <ThrowOnError extends boolean = true>(options: Options<ListOwnCredentialsData, ThrowOnError>): RequestResult<ListOwnCredentialsResponses, ListOwnCredentialsErrors, ThrowOnError> => options.client.get<ListOwnCredentialsResponses, ListOwnCredentialsErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Credentials',
    ...options
});

/**
 * Make another credential
 *
 * At most two are live, so that you can change from one to the other without a gap; a third is answered with `conflict`. Only this response shows a generated password; a chosen one is never shown.
 */
export const createOwnCredential = <ThrowOnError extends boolean = true>(options: Options<CreateOwnCredentialData, ThrowOnError>): RequestResult<CreateOwnCredentialResponses, CreateOwnCredentialErrors, ThrowOnError> => options.client.post<CreateOwnCredentialResponses, CreateOwnCredentialErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Credentials',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove one of your credentials
 *
 * Its tokens, and the installation tokens made with it, are refused from the next request on, and its client id is never used again. The credential that your token was made with is answered with `conflict`: sign in with the other one first.
 */
export const deleteOwnCredential = <ThrowOnError extends boolean = true>(options: Options<DeleteOwnCredentialData, ThrowOnError>): RequestResult<DeleteOwnCredentialResponses, DeleteOwnCredentialErrors, ThrowOnError> => options.client.delete<DeleteOwnCredentialResponses, DeleteOwnCredentialErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Credentials/{credentialId}',
    ...options
});

/**
 * List the people who work for you
 *
 * Those who sign in to the developer console with a login of their own.
 */
export const listDeveloperMembers = <ThrowOnError extends boolean = true>(options: Options<ListDeveloperMembersData, ThrowOnError>): RequestResult<ListDeveloperMembersResponses, ListDeveloperMembersErrors, ThrowOnError> => options.client.get<ListDeveloperMembersResponses, ListDeveloperMembersErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Members',
    ...options
});

/**
 * Invite a person to work for you
 *
 * The person signs in to the developer console. The link of the invitation works once, for 7 days. A newer invitation of the same address by the same side ends it. At most 50 in 24 hours.
 */
export const createDeveloperInvitation = <ThrowOnError extends boolean = true>(options: Options<CreateDeveloperInvitationData, ThrowOnError>): RequestResult<CreateDeveloperInvitationResponses, CreateDeveloperInvitationErrors, ThrowOnError> => options.client.post<CreateDeveloperInvitationResponses, CreateDeveloperInvitationErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Members',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove a person
 *
 * The developer console and the test tokens that the person made are refused from the next request on. The last owner who can sign in stays: `conflict`.
 */
export const deleteDeveloperMember = <ThrowOnError extends boolean = true>(options: Options<DeleteDeveloperMemberData, ThrowOnError>): RequestResult<DeleteDeveloperMemberResponses, DeleteDeveloperMemberErrors, ThrowOnError> => options.client.delete<DeleteDeveloperMemberResponses, DeleteDeveloperMemberErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Members/{userId}',
    ...options
});

/**
 * Give a person another role
 *
 * It takes effect at the next request, also for open sessions. The last owner who can sign in stays one: `conflict`.
 */
export const changeDeveloperMember = <ThrowOnError extends boolean = true>(options: Options<ChangeDeveloperMemberData, ThrowOnError>): RequestResult<ChangeDeveloperMemberResponses, ChangeDeveloperMemberErrors, ThrowOnError> => options.client.patch<ChangeDeveloperMemberResponses, ChangeDeveloperMemberErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Members/{userId}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List your apps
 *
 * In the order of their ids, listed or not.
 */
export const listOwnApps = <ThrowOnError extends boolean = true>(options: Options<ListOwnAppsData, ThrowOnError>): RequestResult<ListOwnAppsResponses, ListOwnAppsErrors, ThrowOnError> => options.client.get<ListOwnAppsResponses, ListOwnAppsErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps',
    ...options
});

/**
 * Create an app
 *
 * Publishes the first version. The app is not listed yet. `?dryRun=true` checks the definition, and whether its id and name are free, and stores nothing; the answer is then as for a dry run of `PUT`, without changes.
 */
export const createApp = <ThrowOnError extends boolean = true>(options: Options<CreateAppData, ThrowOnError>): RequestResult<CreateAppResponses, CreateAppErrors, ThrowOnError> => options.client.post<CreateAppResponses, CreateAppErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete an app
 *
 * Refused while the app is installed. The id is never used again.
 */
export const deleteApp = <ThrowOnError extends boolean = true>(options: Options<DeleteAppData, ThrowOnError>): RequestResult<DeleteAppResponses, DeleteAppErrors, ThrowOnError> => options.client.delete<DeleteAppResponses, DeleteAppErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}',
    ...options
});

/**
 * Read one of your apps
 *
 * The app as it is now. Its `ETag` guards a `PUT` against changes of somebody else.
 */
export const readOwnApp = <ThrowOnError extends boolean = true>(options: Options<ReadOwnAppData, ThrowOnError>): RequestResult<ReadOwnAppResponses, ReadOwnAppErrors, ThrowOnError> => options.client.get<ReadOwnAppResponses, ReadOwnAppErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}',
    ...options
});

/**
 * Replace the definition of an app
 *
 * Takes the whole definition. An unchanged `version` allows only changes that break no installation; other changes get `version_required` with the list of what would break. A new version string publishes a new version. `If-Match` with the ETag of the app keeps you from overwriting the change of somebody else. `?dryRun=true` answers the changes (`DefinitionChanges`) and stores nothing.
 */
export const replaceApp = <ThrowOnError extends boolean = true>(options: Options<ReplaceAppData, ThrowOnError>): RequestResult<ReplaceAppResponses, ReplaceAppErrors, ThrowOnError> => options.client.put<ReplaceAppResponses, ReplaceAppErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Show an app in the catalogue
 *
 * An incomplete app is refused, with all that it lacks; the texts and addresses of the template of the console count as missing.
 */
export const showApp = <ThrowOnError extends boolean = true>(options: Options<ShowAppData, ThrowOnError>): RequestResult<ShowAppResponses, ShowAppErrors, ThrowOnError> => options.client.post<ShowAppResponses, ShowAppErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/List',
    ...options
});

/**
 * Take an app out of the catalogue
 *
 * Its visibility is `unlisted` then: everybody who has its address still finds it. Installations keep working. An app that is not listed stays as it is.
 */
export const hideApp = <ThrowOnError extends boolean = true>(options: Options<HideAppData, ThrowOnError>): RequestResult<HideAppResponses, HideAppErrors, ThrowOnError> => options.client.post<HideAppResponses, HideAppErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Unlist',
    ...options
});

/**
 * Read who finds an app
 *
 * With the accounts that are named for it. The `ETag` is that of the app.
 */
export const readVisibility = <ThrowOnError extends boolean = true>(options: Options<ReadVisibilityData, ThrowOnError>): RequestResult<ReadVisibilityResponses, ReadVisibilityErrors, ThrowOnError> => options.client.get<ReadVisibilityResponses, ReadVisibilityErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Visibility',
    ...options
});

/**
 * Set who finds an app
 *
 * Effective with the next request. Accounts that have the app installed keep it, also when they no longer find it. An app that more are to find must be complete, as for a listing.
 */
export const replaceVisibility = <ThrowOnError extends boolean = true>(options: Options<ReplaceVisibilityData, ThrowOnError>): RequestResult<ReplaceVisibilityResponses, ReplaceVisibilityErrors, ThrowOnError> => options.client.put<ReplaceVisibilityResponses, ReplaceVisibilityErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Visibility',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the install links of an app
 *
 * Oldest first, without their addresses.
 */
export const listInstallLinks = <ThrowOnError extends boolean = true>(options: Options<ListInstallLinksData, ThrowOnError>): RequestResult<ListInstallLinksResponses, ListInstallLinksErrors, ThrowOnError> => options.client.get<ListInstallLinksResponses, ListInstallLinksErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/InstallLinks',
    ...options
});

/**
 * Make an install link
 *
 * An account that uses the link finds the app while it is private, and can install it.
 */
export const createInstallLink = <ThrowOnError extends boolean = true>(options: Options<CreateInstallLinkData, ThrowOnError>): RequestResult<CreateInstallLinkResponses, CreateInstallLinkErrors, ThrowOnError> => options.client.post<CreateInstallLinkResponses, CreateInstallLinkErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/InstallLinks',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete an install link
 *
 * Accounts that used it no longer find the app while it is private. Those that have it installed keep it.
 */
export const deleteInstallLink = <ThrowOnError extends boolean = true>(options: Options<DeleteInstallLinkData, ThrowOnError>): RequestResult<DeleteInstallLinkResponses, DeleteInstallLinkErrors, ThrowOnError> => options.client.delete<DeleteInstallLinkResponses, DeleteInstallLinkErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/InstallLinks/{id}',
    ...options
});

/**
 * Read the definition of an app
 *
 * In the shape that `PUT /v1/Developer/Apps/{appId}` takes: change it and send it back, with the ETag as `If-Match`.
 */
export const readAppDefinition = <ThrowOnError extends boolean = true>(options: Options<ReadAppDefinitionData, ThrowOnError>): RequestResult<ReadAppDefinitionResponses, ReadAppDefinitionErrors, ThrowOnError> => options.client.get<ReadAppDefinitionResponses, ReadAppDefinitionErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Definition',
    ...options
});

/**
 * List the versions of an app
 *
 * Newest first, each with what changed from the version before.
 */
export const listAppVersions = <ThrowOnError extends boolean = true>(options: Options<ListAppVersionsData, ThrowOnError>): RequestResult<ListAppVersionsResponses, ListAppVersionsErrors, ThrowOnError> => options.client.get<ListAppVersionsResponses, ListAppVersionsErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Versions',
    ...options
});

/**
 * Read one version of an app
 *
 * As the list of versions has it, with what changed from the version before.
 */
export const readAppVersion = <ThrowOnError extends boolean = true>(options: Options<ReadAppVersionData, ThrowOnError>): RequestResult<ReadAppVersionResponses, ReadAppVersionErrors, ThrowOnError> => options.client.get<ReadAppVersionResponses, ReadAppVersionErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Versions/{version}',
    ...options
});

/**
 * Compare two versions of an app
 *
 * What is different in the version of the path from the version `from`.
 */
export const readAppVersionChanges = <ThrowOnError extends boolean = true>(options: Options<ReadAppVersionChangesData, ThrowOnError>): RequestResult<ReadAppVersionChangesResponses, ReadAppVersionChangesErrors, ThrowOnError> => options.client.get<ReadAppVersionChangesResponses, ReadAppVersionChangesErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Versions/{version}/Changes',
    ...options
});

/**
 * Remove the terms document
 *
 * A version that has been installed keeps its terms; then name a new `version`, which is published without them and is otherwise the same.
 */
export const deleteTermsDocument = <ThrowOnError extends boolean = true>(options: Options<DeleteTermsDocumentData, ThrowOnError>): RequestResult<DeleteTermsDocumentResponses, DeleteTermsDocumentErrors, ThrowOnError> => options.client.delete<DeleteTermsDocumentResponses, DeleteTermsDocumentErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/TermsDocument',
    ...options
});

/**
 * Read the terms document of your app
 *
 * The terms document of the latest version. The response is a file to be saved.
 */
export const readOwnTermsDocument = <ThrowOnError extends boolean = true>(options: Options<ReadOwnTermsDocumentData, ThrowOnError>): RequestResult<ReadOwnTermsDocumentResponses, ReadOwnTermsDocumentErrors, ThrowOnError> => options.client.get<ReadOwnTermsDocumentResponses, ReadOwnTermsDocumentErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/TermsDocument',
    ...options
});

/**
 * Attach a terms document
 *
 * The body is the document itself: `application/pdf`, `text/plain` or `text/markdown` in UTF-8, at most 5 MiB. A version that has been installed keeps its terms; then name a new `version`, which is published with them and is otherwise the same. Sending the same document again changes nothing.
 */
export const replaceTermsDocument = <ThrowOnError extends boolean = true>(options: Options<ReplaceTermsDocumentData, ThrowOnError>): RequestResult<ReplaceTermsDocumentResponses, ReplaceTermsDocumentErrors, ThrowOnError> => options.client.put<ReplaceTermsDocumentResponses, ReplaceTermsDocumentErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/TermsDocument',
    ...options,
    headers: {
        'Content-Type': 'application/pdf',
        ...options.headers
    }
});

/**
 * Remove the PDF beside the terms
 *
 * The text stays. 409 `conflict` once an account has accepted the text.
 */
export const deleteTermsPdf = <ThrowOnError extends boolean = true>(options: Options<DeleteTermsPdfData, ThrowOnError>): RequestResult<DeleteTermsPdfResponses, DeleteTermsPdfErrors, ThrowOnError> => options.client.delete<DeleteTermsPdfResponses, DeleteTermsPdfErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/TermsDocument/Pdf',
    ...options
});

/**
 * Read the PDF beside the terms of your app
 *
 * Of the latest version. The response is a file to be saved.
 */
export const readOwnTermsPdf = <ThrowOnError extends boolean = true>(options: Options<ReadOwnTermsPdfData, ThrowOnError>): RequestResult<ReadOwnTermsPdfResponses, ReadOwnTermsPdfErrors, ThrowOnError> => options.client.get<ReadOwnTermsPdfResponses, ReadOwnTermsPdfErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/TermsDocument/Pdf',
    ...options
});

/**
 * Attach a PDF beside the terms
 *
 * A download for people who want to keep one; what accounts accept is the text. The body is the PDF itself, at most 5 MiB. The terms must be text. They keep their PDF in later versions, until the text is replaced. 409 `conflict` when an account has accepted the text and another PDF is beside it.
 */
export const replaceTermsPdf = <ThrowOnError extends boolean = true>(options: Options<ReplaceTermsPdfData, ThrowOnError>): RequestResult<ReplaceTermsPdfResponses, ReplaceTermsPdfErrors, ThrowOnError> => options.client.put<ReplaceTermsPdfResponses, ReplaceTermsPdfErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/TermsDocument/Pdf',
    ...options,
    headers: {
        'Content-Type': 'application/pdf',
        ...options.headers
    }
});

/**
 * Read the listing of one of your apps
 *
 * What stands on the page of the app beside its definition. Its `ETag` guards a `PUT` against changes of somebody else.
 */
export const readAppListing = <ThrowOnError extends boolean = true>(options: Options<ReadAppListingData, ThrowOnError>): RequestResult<ReadAppListingResponses, ReadAppListingErrors, ThrowOnError> => options.client.get<ReadAppListingResponses, ReadAppListingErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Listing',
    ...options
});

/**
 * Replace the listing of an app
 *
 * Takes the whole listing, which is seen at once; no new version is needed. `If-Match` with the ETag of the listing keeps you from overwriting the change of somebody else.
 */
export const replaceAppListing = <ThrowOnError extends boolean = true>(options: Options<ReplaceAppListingData, ThrowOnError>): RequestResult<ReplaceAppListingResponses, ReplaceAppListingErrors, ThrowOnError> => options.client.put<ReplaceAppListingResponses, ReplaceAppListingErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Listing',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove the icon of an app
 *
 * The app then has a pattern that is drawn from its id.
 */
export const deleteIcon = <ThrowOnError extends boolean = true>(options: Options<DeleteIconData, ThrowOnError>): RequestResult<DeleteIconResponses, DeleteIconErrors, ThrowOnError> => options.client.delete<DeleteIconResponses, DeleteIconErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Icon',
    ...options
});

/**
 * Give an app an icon
 *
 * The body is the picture itself: PNG, JPEG or WebP, square, 128 to 1024 pixels on each side, at most 5 MiB, without animation. The server makes its own files of it, as WebP in sRGB; what else is in the file, such as a place or a camera, is not kept.
 */
export const replaceIcon = <ThrowOnError extends boolean = true>(options: Options<ReplaceIconData, ThrowOnError>): RequestResult<ReplaceIconResponses, ReplaceIconErrors, ThrowOnError> => options.client.put<ReplaceIconResponses, ReplaceIconErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Icon',
    ...options,
    headers: {
        'Content-Type': 'image/png',
        ...options.headers
    }
});

/**
 * Add a screenshot to an app
 *
 * The body is the picture itself, as for the icon: 640 to 2560 pixels wide, at most 25 megapixels. It comes behind the others; an app has at most 8.
 */
export const createScreenshot = <ThrowOnError extends boolean = true>(options: Options<CreateScreenshotData, ThrowOnError>): RequestResult<CreateScreenshotResponses, CreateScreenshotErrors, ThrowOnError> => options.client.post<CreateScreenshotResponses, CreateScreenshotErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Screenshots',
    ...options,
    headers: {
        'Content-Type': 'image/png',
        ...options.headers
    }
});

/**
 * Remove a screenshot
 *
 * The others stay in their order.
 */
export const deleteScreenshot = <ThrowOnError extends boolean = true>(options: Options<DeleteScreenshotData, ThrowOnError>): RequestResult<DeleteScreenshotResponses, DeleteScreenshotErrors, ThrowOnError> => options.client.delete<DeleteScreenshotResponses, DeleteScreenshotErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Screenshots/{screenshotId}',
    ...options
});

/**
 * Change the words of a screenshot
 *
 * Another picture is another screenshot: add it, and remove this one.
 */
export const changeScreenshot = <ThrowOnError extends boolean = true>(options: Options<ChangeScreenshotData, ThrowOnError>): RequestResult<ChangeScreenshotResponses, ChangeScreenshotErrors, ThrowOnError> => options.client.patch<ChangeScreenshotResponses, ChangeScreenshotErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Screenshots/{screenshotId}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Put the screenshots into an order
 *
 * Takes the id of each screenshot of the app once.
 */
export const replaceScreenshotOrder = <ThrowOnError extends boolean = true>(options: Options<ReplaceScreenshotOrderData, ThrowOnError>): RequestResult<ReplaceScreenshotOrderResponses, ReplaceScreenshotOrderErrors, ThrowOnError> => options.client.put<ReplaceScreenshotOrderResponses, ReplaceScreenshotOrderErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Screenshots/Order',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * See what happened to your apps, installations and credentials
 *
 * Newest first. Entries are never deleted or changed; only `after.count`, of what happens often, rises within the hour. People of the accounts and of the operator are named by kind only.
 */
export const listDeveloperAuditEntries = <ThrowOnError extends boolean = true>(options: Options<ListDeveloperAuditEntriesData, ThrowOnError>): RequestResult<ListDeveloperAuditEntriesResponses, ListDeveloperAuditEntriesErrors, ThrowOnError> => options.client.get<ListDeveloperAuditEntriesResponses, ListDeveloperAuditEntriesErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Audit',
    ...options
});

/**
 * Read your events
 *
 * Oldest first, in the order of their positions, which count the events of all your apps without gaps. Every answer, also an empty one, has a `Link` with `rel="next"`: ask that address for what comes then; filters do not make it read anything twice. With `consumer` the events begin after those that were acknowledged by `PUT /v1/Developer/EventConsumers/{name}`; reading acknowledges nothing. With `wait` an answer that would be empty comes with the next event, or empty when the time is over; 4 of your requests can wait at once. Events are kept for 30 days: an older position is 410 `cursor_expired`, with the oldest one as `oldestPosition`. A position that your log has not reached is 400 `invalid_cursor`.
 */
export const listEvents = <ThrowOnError extends boolean = true>(options: Options<ListEventsData, ThrowOnError>): RequestResult<ListEventsResponses, ListEventsErrors, ThrowOnError> => options.client.get<ListEventsResponses, ListEventsErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Events',
    ...options
});

/**
 * List the consumers of your events
 *
 * By name, each with how many events are before it. There are at most 100.
 */
export const listEventConsumers = <ThrowOnError extends boolean = true>(options: Options<ListEventConsumersData, ThrowOnError>): RequestResult<ListEventConsumersResponses, ListEventConsumersErrors, ThrowOnError> => options.client.get<ListEventConsumersResponses, ListEventConsumersErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/EventConsumers',
    ...options
});

/**
 * Remove a consumer of your events
 *
 * Its position is deleted: if you read as this consumer again, you begin with the oldest event that is kept.
 */
export const deleteEventConsumer = <ThrowOnError extends boolean = true>(options: Options<DeleteEventConsumerData, ThrowOnError>): RequestResult<DeleteEventConsumerResponses, DeleteEventConsumerErrors, ThrowOnError> => options.client.delete<DeleteEventConsumerResponses, DeleteEventConsumerErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/EventConsumers/{name}',
    ...options
});

/**
 * Acknowledge events for a consumer
 *
 * Keeps that a consumer is done with all events up to `position`; `GET /v1/Developer/Events?consumer={name}` begins after it. Makes the consumer if there is none. Going back is allowed: the events come again. A position that your log has not reached is 422; one whose following events are no longer kept is 410 `cursor_expired` with `oldestPosition`.
 */
export const replaceEventConsumer = <ThrowOnError extends boolean = true>(options: Options<ReplaceEventConsumerData, ThrowOnError>): RequestResult<ReplaceEventConsumerResponses, ReplaceEventConsumerErrors, ThrowOnError> => options.client.put<ReplaceEventConsumerResponses, ReplaceEventConsumerErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/EventConsumers/{name}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the webhook endpoints of an app
 *
 * Oldest first.
 */
export const listWebhooks = <ThrowOnError extends boolean = true>(options: Options<ListWebhooksData, ThrowOnError>): RequestResult<ListWebhooksResponses, ListWebhooksErrors, ThrowOnError> => options.client.get<ListWebhooksResponses, ListWebhooksErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Webhooks',
    ...options
});

/**
 * Create a webhook endpoint
 *
 * Events from now on are sent there. The response has the `secret` that signs them, this once. An app has at most 16 endpoints: one more is answered with `conflict`.
 */
export const createWebhook = <ThrowOnError extends boolean = true>(options: Options<CreateWebhookData, ThrowOnError>): RequestResult<CreateWebhookResponses, CreateWebhookErrors, ThrowOnError> => options.client.post<CreateWebhookResponses, CreateWebhookErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Webhooks',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete a webhook endpoint
 *
 * Also deletes the log of its deliveries. Waiting deliveries are not sent; the events stay in the event log.
 */
export const deleteWebhook = <ThrowOnError extends boolean = true>(options: Options<DeleteWebhookData, ThrowOnError>): RequestResult<DeleteWebhookResponses, DeleteWebhookErrors, ThrowOnError> => options.client.delete<DeleteWebhookResponses, DeleteWebhookErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}',
    ...options
});

/**
 * Read a webhook endpoint
 *
 * The endpoint with its health. The secret and the values of its headers are never shown again.
 */
export const readWebhook = <ThrowOnError extends boolean = true>(options: Options<ReadWebhookData, ThrowOnError>): RequestResult<ReadWebhookResponses, ReadWebhookErrors, ThrowOnError> => options.client.get<ReadWebhookResponses, ReadWebhookErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}',
    ...options
});

/**
 * Change a webhook endpoint
 *
 * A merge patch (RFC 7396). Deliveries that wait use the new values. A new `url` starts with the health `untried`. `If-Match` with the ETag of the endpoint keeps you from overwriting the change of somebody else.
 */
export const changeWebhook = <ThrowOnError extends boolean = true>(options: Options<ChangeWebhookData, ThrowOnError>): RequestResult<ChangeWebhookResponses, ChangeWebhookErrors, ThrowOnError> => options.client.patch<ChangeWebhookResponses, ChangeWebhookErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Rotate the secret of a webhook endpoint
 *
 * The response has the new `secret`, this once. For 24 hours requests are signed with the former secret as well. If you rotate again within that time, the oldest secret stops working at once.
 */
export const rotateWebhookSecret = <ThrowOnError extends boolean = true>(options: Options<RotateWebhookSecretData, ThrowOnError>): RequestResult<RotateWebhookSecretResponses, RotateWebhookSecretErrors, ThrowOnError> => options.client.post<RotateWebhookSecretResponses, RotateWebhookSecretErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/RotateSecret',
    ...options
});

/**
 * Send a test to a webhook endpoint
 *
 * Records a `webhook.test` event, which is sent to this endpoint only. The deliveries show the result. A disabled endpoint is answered with `conflict`.
 */
export const testWebhook = <ThrowOnError extends boolean = true>(options: Options<TestWebhookData, ThrowOnError>): RequestResult<TestWebhookResponses, TestWebhookErrors, ThrowOnError> => options.client.post<TestWebhookResponses, TestWebhookErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/Test',
    ...options
});

/**
 * Enable a webhook endpoint
 *
 * Events from now on are sent again, and the time for which it has been failing starts at zero. To get the events from the time when it was disabled, recover the endpoint. Repeating the call changes nothing.
 */
export const enableWebhook = <ThrowOnError extends boolean = true>(options: Options<EnableWebhookData, ThrowOnError>): RequestResult<EnableWebhookResponses, EnableWebhookErrors, ThrowOnError> => options.client.post<EnableWebhookResponses, EnableWebhookErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/Enable',
    ...options
});

/**
 * Disable a webhook endpoint
 *
 * Nothing is sent to it until it is enabled. Deliveries that wait end as `failed`. Repeating the call changes nothing.
 */
export const disableWebhook = <ThrowOnError extends boolean = true>(options: Options<DisableWebhookData, ThrowOnError>): RequestResult<DisableWebhookResponses, DisableWebhookErrors, ThrowOnError> => options.client.post<DisableWebhookResponses, DisableWebhookErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/Disable',
    ...options
});

/**
 * List the deliveries of a webhook endpoint
 *
 * Newest event first, each with every attempt. Kept for 30 days, as the events are. A page ends early where its attempts are very many or long, and the `Link` header leads on as always.
 */
export const listWebhookDeliveries = <ThrowOnError extends boolean = true>(options: Options<ListWebhookDeliveriesData, ThrowOnError>): RequestResult<ListWebhookDeliveriesResponses, ListWebhookDeliveriesErrors, ThrowOnError> => options.client.get<ListWebhookDeliveriesResponses, ListWebhookDeliveriesErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/Deliveries',
    ...options
});

/**
 * Read a delivery with every attempt
 *
 * One event on its way to one endpoint: each attempt with its time, its outcome and the beginning of the answer.
 */
export const readWebhookDelivery = <ThrowOnError extends boolean = true>(options: Options<ReadWebhookDeliveryData, ThrowOnError>): RequestResult<ReadWebhookDeliveryResponses, ReadWebhookDeliveryErrors, ThrowOnError> => options.client.get<ReadWebhookDeliveryResponses, ReadWebhookDeliveryErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/Deliveries/{deliveryId}',
    ...options
});

/**
 * Send a delivery again
 *
 * Whatever its status, the delivery is sent now, and retried like a new one. An `ordered` endpoint gets it when nothing else of its installation waits before it or is on its way. Answered with `conflict` while it is being sent, when the endpoint is disabled, and when the endpoint has been told that the installation was uninstalled.
 */
export const replayWebhookDelivery = <ThrowOnError extends boolean = true>(options: Options<ReplayWebhookDeliveryData, ThrowOnError>): RequestResult<ReplayWebhookDeliveryResponses, ReplayWebhookDeliveryErrors, ThrowOnError> => options.client.post<ReplayWebhookDeliveryResponses, ReplayWebhookDeliveryErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/Deliveries/{deliveryId}/Replay',
    ...options
});

/**
 * Send again what was missed since a moment, or everything
 *
 * Failed deliveries, those that wait for a later attempt, and events of that time that were never sent there, such as those of a time in which the endpoint was disabled; all as the types of the endpoint are now. Left out is what the endpoint has received, what was cancelled, and installations of which it has been told that they were uninstalled. With `all` these are sent again, too, each event with its former id; left out are only uninstalled installations when the endpoint does not take `installation.deleted` any more. A disabled endpoint is answered with `conflict`.
 */
export const recoverWebhook = <ThrowOnError extends boolean = true>(options: Options<RecoverWebhookData, ThrowOnError>): RequestResult<RecoverWebhookResponses, RecoverWebhookErrors, ThrowOnError> => options.client.post<RecoverWebhookResponses, RecoverWebhookErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/Recover',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the open invitations to work for you
 *
 * Those by the operator too, oldest first, without their links.
 */
export const listDeveloperInvitations = <ThrowOnError extends boolean = true>(options: Options<ListDeveloperInvitationsData, ThrowOnError>): RequestResult<ListDeveloperInvitationsResponses, ListDeveloperInvitationsErrors, ThrowOnError> => options.client.get<ListDeveloperInvitationsResponses, ListDeveloperInvitationsErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Invitations',
    ...options
});

/**
 * Revoke an open invitation to work for you
 *
 * Its link is refused from now on. An invitation by the operator that also leads elsewhere goes on for that.
 */
export const deleteDeveloperInvitation = <ThrowOnError extends boolean = true>(options: Options<DeleteDeveloperInvitationData, ThrowOnError>): RequestResult<DeleteDeveloperInvitationResponses, DeleteDeveloperInvitationErrors, ThrowOnError> => options.client.delete<DeleteDeveloperInvitationResponses, DeleteDeveloperInvitationErrors, ThrowOnError>({
    security: [{
            key: 'developerToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Developer/Invitations/{invitationId}',
    ...options
});

/**
 * Read who is signed in and the accounts of that user
 *
 * The user of the token, and the accounts that the user may act for.
 */
export const readOwnUser = <ThrowOnError extends boolean = true>(options: Options<ReadOwnUserData, ThrowOnError>): RequestResult<ReadOwnUserResponses, ReadOwnUserErrors, ThrowOnError> => options.client.get<ReadOwnUserResponses, ReadOwnUserErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account',
    ...options
});

/**
 * Change your own name
 *
 * The new name shows from the next request on.
 */
export const changeOwnUser = <ThrowOnError extends boolean = true>(options: Options<ChangeOwnUserData, ThrowOnError>): RequestResult<ChangeOwnUserResponses, ChangeOwnUserErrors, ThrowOnError> => options.client.patch<ChangeOwnUserResponses, ChangeOwnUserErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Export all data about yourself
 *
 * One JSON document, sent while it is read: if the connection drops, discard it. Without passwords and secrets. Of entries of the audit trail by others it tells neither who nor from where.
 */
export const exportOwnData = <ThrowOnError extends boolean = true>(options: Options<ExportOwnDataData, ThrowOnError>): RequestResult<ExportOwnDataResponses, ExportOwnDataErrors, ThrowOnError> => options.client.get<ExportOwnDataResponses, ExportOwnDataErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Export',
    ...options
});

/**
 * Remove yourself for good
 *
 * Your email and name are replaced, your memberships, sessions and tokens end. The audit trail keeps your id. Refused: the last operator who can sign in (`operator_needed`); and (`conflict`) the last admin of an account with other members or installed apps, and the last owner of a developer who can sign in.
 */
export const deleteOwnUser = <ThrowOnError extends boolean = true>(options: Options<DeleteOwnUserData, ThrowOnError>): RequestResult<DeleteOwnUserResponses, DeleteOwnUserErrors, ThrowOnError> => options.client.post<DeleteOwnUserResponses, DeleteOwnUserErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Remove',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Ask for a change of your email
 *
 * A link is mailed to your present and to the new address. Each works once, for 24 hours; the email changes when both are confirmed, in either order. The answer is the same when somebody else has the new address, to which nothing is mailed then. A newer request ends the links of the older one; 5 requests an hour. A marketplace without a mail server answers `conflict`: its operator changes emails.
 */
export const createEmailChange = <ThrowOnError extends boolean = true>(options: Options<CreateEmailChangeData, ThrowOnError>): RequestResult<CreateEmailChangeResponses, CreateEmailChangeErrors, ThrowOnError> => options.client.post<CreateEmailChangeResponses, CreateEmailChangeErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/EmailChange',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get the state of two-step sign-in
 *
 * Whether a code is asked for when the user of the token signs in.
 */
export const readSecondFactor = <ThrowOnError extends boolean = true>(options: Options<ReadSecondFactorData, ThrowOnError>): RequestResult<ReadSecondFactorResponses, ReadSecondFactorErrors, ThrowOnError> => options.client.get<ReadSecondFactorResponses, ReadSecondFactorErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/SecondFactor',
    ...options
});

/**
 * Begin to enable two-step sign-in
 *
 * Makes a secret for an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). It needs the password again; a wrong one is 422 with the pointer `/password`. No code is asked for until `POST /v1/Account/SecondFactor/Confirm`, which has to follow within 15 minutes. Users without passwords begin on the page Account > Security, after a fresh sign-in.
 */
export const createSecondFactor = <ThrowOnError extends boolean = true>(options: Options<CreateSecondFactorData, ThrowOnError>): RequestResult<CreateSecondFactorResponses, CreateSecondFactorErrors, ThrowOnError> => options.client.post<CreateSecondFactorResponses, CreateSecondFactorErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/SecondFactor',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Enable two-step sign-in
 *
 * Takes a first code of the authenticator app. From now on a code is asked for at each sign-in. The browsers in which the user is signed in are signed out, and the tokens of the user end, the one of this request too: sign in again with a code.
 */
export const confirmSecondFactor = <ThrowOnError extends boolean = true>(options: Options<ConfirmSecondFactorData, ThrowOnError>): RequestResult<ConfirmSecondFactorResponses, ConfirmSecondFactorErrors, ThrowOnError> => options.client.post<ConfirmSecondFactorResponses, ConfirmSecondFactorErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/SecondFactor/Confirm',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Make new recovery codes
 *
 * The recovery codes before are refused from now on. It needs a code.
 */
export const createRecoveryCodes = <ThrowOnError extends boolean = true>(options: Options<CreateRecoveryCodesData, ThrowOnError>): RequestResult<CreateRecoveryCodesResponses, CreateRecoveryCodesErrors, ThrowOnError> => options.client.post<CreateRecoveryCodesResponses, CreateRecoveryCodesErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/SecondFactor/RecoveryCodes',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Disable two-step sign-in
 *
 * It needs a code, or a recovery code. The tokens of the user end, the one of this request too. A user who has lost both asks an operator (`DELETE /v1/Operator/Users/{id}/SecondFactor`).
 */
export const deleteSecondFactor = <ThrowOnError extends boolean = true>(options: Options<DeleteSecondFactorData, ThrowOnError>): RequestResult<DeleteSecondFactorResponses, DeleteSecondFactorErrors, ThrowOnError> => options.client.post<DeleteSecondFactorResponses, DeleteSecondFactorErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/SecondFactor/Remove',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Sign out all browsers
 *
 * They are signed out from their next request on. Account tokens go on.
 */
export const deleteSessions = <ThrowOnError extends boolean = true>(options: Options<DeleteSessionsData, ThrowOnError>): RequestResult<DeleteSessionsResponses, DeleteSessionsErrors, ThrowOnError> => options.client.delete<DeleteSessionsResponses, DeleteSessionsErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Sessions',
    ...options
});

/**
 * List the browsers in which you are signed in
 *
 * The one that was used last first, 100 at most: an older session ends when the user signs in once more. Account tokens are no sessions.
 */
export const listSessions = <ThrowOnError extends boolean = true>(options: Options<ListSessionsData, ThrowOnError>): RequestResult<ListSessionsResponses, ListSessionsErrors, ThrowOnError> => options.client.get<ListSessionsResponses, ListSessionsErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Sessions',
    ...options
});

/**
 * Sign out one browser
 *
 * It is signed out from its next request on. Account tokens go on.
 */
export const deleteSession = <ThrowOnError extends boolean = true>(options: Options<DeleteSessionData, ThrowOnError>): RequestResult<DeleteSessionResponses, DeleteSessionErrors, ThrowOnError> => options.client.delete<DeleteSessionResponses, DeleteSessionErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Sessions/{id}',
    ...options
});

/**
 * List your notifications
 *
 * Newest first: what concerns you in your accounts, developers and role. The newest 200 are kept, for 90 days. Of what you may not see any more, `text` names nothing, and the ids are null.
 */
export const listNotifications = <ThrowOnError extends boolean = true>(options: Options<ListNotificationsData, ThrowOnError>): RequestResult<ListNotificationsResponses, ListNotificationsErrors, ThrowOnError> => options.client.get<ListNotificationsResponses, ListNotificationsErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Notifications',
    ...options
});

/**
 * Mark notifications as read
 *
 * Those with the given ids, or one and all that are older. Unknown ids are passed over. Repeating the call changes nothing.
 */
export const markNotificationsRead = <ThrowOnError extends boolean = true>(options: Options<MarkNotificationsReadData, ThrowOnError>): RequestResult<MarkNotificationsReadResponses, MarkNotificationsReadErrors, ThrowOnError> => options.client.post<MarkNotificationsReadResponses, MarkNotificationsReadErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Notifications/Read',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the members of an account
 *
 * Only for admins of the account.
 */
export const listPartyMembers = <ThrowOnError extends boolean = true>(options: Options<ListPartyMembersData, ThrowOnError>): RequestResult<ListPartyMembersResponses, ListPartyMembersErrors, ThrowOnError> => options.client.get<ListPartyMembersResponses, ListPartyMembersErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Parties/{id}/Members',
    ...options
});

/**
 * Remove a member from an account
 *
 * Admins of the account remove anybody, every member may leave. Tokens that the member got for the account's installations are refused from the next request on. The last admin who can sign in stays: `conflict`.
 */
export const deletePartyMember = <ThrowOnError extends boolean = true>(options: Options<DeletePartyMemberData, ThrowOnError>): RequestResult<DeletePartyMemberResponses, DeletePartyMemberErrors, ThrowOnError> => options.client.delete<DeletePartyMemberResponses, DeletePartyMemberErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Parties/{id}/Members/{userId}',
    ...options
});

/**
 * Give a member of an account another role
 *
 * Only for admins of the account. The role counts from the next request on, also for existing tokens and sessions. The last admin who can sign in stays one: `conflict`.
 */
export const changePartyMember = <ThrowOnError extends boolean = true>(options: Options<ChangePartyMemberData, ThrowOnError>): RequestResult<ChangePartyMemberResponses, ChangePartyMemberErrors, ThrowOnError> => options.client.patch<ChangePartyMemberResponses, ChangePartyMemberErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Parties/{id}/Members/{userId}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read an app that one of your accounts finds
 *
 * As `GET /v1/Apps/{appId}`, and also private apps that are for one of your accounts.
 */
export const readAccountApp = <ThrowOnError extends boolean = true>(options: Options<ReadAccountAppData, ThrowOnError>): RequestResult<ReadAccountAppResponses, ReadAccountAppErrors, ThrowOnError> => options.client.get<ReadAccountAppResponses, ReadAccountAppErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Apps/{appId}',
    ...options
});

/**
 * Use an install link
 *
 * One of your accounts finds the private app of the link from now on, and an admin can install it. An account that finds it already uses nothing up.
 */
export const acceptInstallLink = <ThrowOnError extends boolean = true>(options: Options<AcceptInstallLinkData, ThrowOnError>): RequestResult<AcceptInstallLinkResponses, AcceptInstallLinkErrors, ThrowOnError> => options.client.post<AcceptInstallLinkResponses, AcceptInstallLinkErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/InstallLinks',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List what is installed for your accounts
 *
 * Installations of all accounts that the user may act for, without passwords and admin settings.
 */
export const listAccountInstallations = <ThrowOnError extends boolean = true>(options: Options<ListAccountInstallationsData, ThrowOnError>): RequestResult<ListAccountInstallationsResponses, ListAccountInstallationsErrors, ThrowOnError> => options.client.get<ListAccountInstallationsResponses, ListAccountInstallationsErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations',
    ...options
});

/**
 * Install an app
 *
 * Accept everything that the app asks by the hash of its text; `GET /v1/Apps/{appId}` shows the texts. The answer names all problems at once. Only an admin of the account installs. 409 `conflict` when the app has another version than the one that is named, and while the operator keeps the account from installing the app again.
 */
export const installApp = <ThrowOnError extends boolean = true>(options: Options<InstallAppData, ThrowOnError>): RequestResult<InstallAppResponses, InstallAppErrors, ThrowOnError> => options.client.post<InstallAppResponses, InstallAppErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Uninstall an app
 *
 * Final: its tokens are refused from the next request on, and its stored passwords are erased. Installing again makes a new installation; after a suspension by the operator that is possible once the operator resumes it. Every later change of an uninstalled installation gets `conflict`.
 */
export const uninstallApp = <ThrowOnError extends boolean = true>(options: Options<UninstallAppData, ThrowOnError>): RequestResult<UninstallAppResponses, UninstallAppErrors, ThrowOnError> => options.client.delete<UninstallAppResponses, UninstallAppErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations/{installationId}',
    ...options
});

/**
 * Read one installation of your accounts
 *
 * The installation without passwords and admin settings. Its `ETag` guards a change against changes of somebody else.
 */
export const readAccountInstallation = <ThrowOnError extends boolean = true>(options: Options<ReadAccountInstallationData, ThrowOnError>): RequestResult<ReadAccountInstallationResponses, ReadAccountInstallationErrors, ThrowOnError> => options.client.get<ReadAccountInstallationResponses, ReadAccountInstallationErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations/{installationId}',
    ...options
});

/**
 * Change the user settings
 *
 * A merge patch. An empty password keeps the stored one. `If-Match` with the ETag of the installation keeps you from overwriting the change of somebody else; without it, concurrent changes of different keys are all kept.
 */
export const changeUserSettings = <ThrowOnError extends boolean = true>(options: Options<ChangeUserSettingsData, ThrowOnError>): RequestResult<ChangeUserSettingsResponses, ChangeUserSettingsErrors, ThrowOnError> => options.client.patch<ChangeUserSettingsResponses, ChangeUserSettingsErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations/{installationId}/UserSettings',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Preview a change of the purchase option
 *
 * Shows which settings stay, are lost or are needed, and the difference in price.
 */
export const previewPurchaseOption = <ThrowOnError extends boolean = true>(options: Options<PreviewPurchaseOptionData, ThrowOnError>): RequestResult<PreviewPurchaseOptionResponses, PreviewPurchaseOptionErrors, ThrowOnError> => options.client.get<PreviewPurchaseOptionResponses, PreviewPurchaseOptionErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations/{installationId}/PurchaseOption',
    ...options
});

/**
 * Change the purchase option
 *
 * Settings that the new option does not have are lost; the preview names them.
 */
export const changePurchaseOption = <ThrowOnError extends boolean = true>(options: Options<ChangePurchaseOptionData, ThrowOnError>): RequestResult<ChangePurchaseOptionResponses, ChangePurchaseOptionErrors, ThrowOnError> => options.client.post<ChangePurchaseOptionResponses, ChangePurchaseOptionErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations/{installationId}/PurchaseOption',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Preview the upgrade to the latest version
 *
 * Shows what changes, what you have to accept, and what it will cost.
 */
export const previewUpgrade = <ThrowOnError extends boolean = true>(options: Options<PreviewUpgradeData, ThrowOnError>): RequestResult<PreviewUpgradeResponses, PreviewUpgradeErrors, ThrowOnError> => options.client.get<PreviewUpgradeResponses, PreviewUpgradeErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations/{installationId}/Upgrade',
    ...options
});

/**
 * Upgrade to the latest version
 *
 * Send the version that the preview showed; if a newer one was published since, the answer is 409 `conflict`. The installation keeps its id. Tokens with other permissions are refused.
 */
export const upgradeInstallation = <ThrowOnError extends boolean = true>(options: Options<UpgradeInstallationData, ThrowOnError>): RequestResult<UpgradeInstallationResponses, UpgradeInstallationErrors, ThrowOnError> => options.client.post<UpgradeInstallationResponses, UpgradeInstallationErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations/{installationId}/Upgrade',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the upgrades that wait for your accounts
 *
 * Installations of your accounts whose app has a later version, with whether it is breaking and what it comes to cost. At most 20 in a page.
 */
export const listWaitingUpgrades = <ThrowOnError extends boolean = true>(options: Options<ListWaitingUpgradesData, ThrowOnError>): RequestResult<ListWaitingUpgradesResponses, ListWaitingUpgradesErrors, ThrowOnError> => options.client.get<ListWaitingUpgradesResponses, ListWaitingUpgradesErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Upgrades',
    ...options
});

/**
 * Read how an installation is used
 *
 * Requests, products and refusals by day and permission, and when each permission was used last. Each server process counts in memory and writes once a minute: the last minute is not in it, and of a server that is killed never will be. At most 400 days, which is how long they are kept.
 */
export const readAccountInstallationUsage = <ThrowOnError extends boolean = true>(options: Options<ReadAccountInstallationUsageData, ThrowOnError>): RequestResult<ReadAccountInstallationUsageResponses, ReadAccountInstallationUsageErrors, ThrowOnError> => options.client.get<ReadAccountInstallationUsageResponses, ReadAccountInstallationUsageErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations/{installationId}/Usage',
    ...options
});

/**
 * Read the terms document of an installation
 *
 * The document of the installed version, which binds the account. It stays when the app is uninstalled, unlisted or deleted.
 */
export const readInstalledTermsDocument = <ThrowOnError extends boolean = true>(options: Options<ReadInstalledTermsDocumentData, ThrowOnError>): RequestResult<ReadInstalledTermsDocumentResponses, ReadInstalledTermsDocumentErrors, ThrowOnError> => options.client.get<ReadInstalledTermsDocumentResponses, ReadInstalledTermsDocumentErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations/{installationId}/TermsDocument',
    ...options
});

/**
 * Read the terms document of an upgrade
 *
 * The document of the version that the preview shows.
 */
export const readUpgradeTermsDocument = <ThrowOnError extends boolean = true>(options: Options<ReadUpgradeTermsDocumentData, ThrowOnError>): RequestResult<ReadUpgradeTermsDocumentResponses, ReadUpgradeTermsDocumentErrors, ThrowOnError> => options.client.get<ReadUpgradeTermsDocumentResponses, ReadUpgradeTermsDocumentErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations/{installationId}/Upgrade/TermsDocument',
    ...options
});

/**
 * Read the PDF beside the terms of an installation
 *
 * What binds the account is the text. 404 where there is no PDF beside it.
 */
export const readInstalledTermsPdf = <ThrowOnError extends boolean = true>(options: Options<ReadInstalledTermsPdfData, ThrowOnError>): RequestResult<ReadInstalledTermsPdfResponses, ReadInstalledTermsPdfErrors, ThrowOnError> => options.client.get<ReadInstalledTermsPdfResponses, ReadInstalledTermsPdfErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations/{installationId}/TermsDocument/Pdf',
    ...options
});

/**
 * Read the PDF beside the terms of an upgrade
 *
 * What is accepted is the text. 404 where there is no PDF beside it.
 */
export const readUpgradeTermsPdf = <ThrowOnError extends boolean = true>(options: Options<ReadUpgradeTermsPdfData, ThrowOnError>): RequestResult<ReadUpgradeTermsPdfResponses, ReadUpgradeTermsPdfErrors, ThrowOnError> => options.client.get<ReadUpgradeTermsPdfResponses, ReadUpgradeTermsPdfErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations/{installationId}/Upgrade/TermsDocument/Pdf',
    ...options
});

/**
 * List what was accepted for an installation
 *
 * Acknowledgements, terms and permissions at the install and at each upgrade, oldest first, in the words that they had then. Uninstalled installations included.
 */
export const listAccountAcceptances = <ThrowOnError extends boolean = true>(options: Options<ListAccountAcceptancesData, ThrowOnError>): RequestResult<ListAccountAcceptancesResponses, ListAccountAcceptancesErrors, ThrowOnError> => options.client.get<ListAccountAcceptancesResponses, ListAccountAcceptancesErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations/{installationId}/Acceptances',
    ...options
});

/**
 * Read a terms document that was accepted
 *
 * The document with this hash, also one that an upgrade has replaced. The response is a file to be saved.
 */
export const readAccountAcceptedTermsDocument = <ThrowOnError extends boolean = true>(options: Options<ReadAccountAcceptedTermsDocumentData, ThrowOnError>): RequestResult<ReadAccountAcceptedTermsDocumentResponses, ReadAccountAcceptedTermsDocumentErrors, ThrowOnError> => options.client.get<ReadAccountAcceptedTermsDocumentResponses, ReadAccountAcceptedTermsDocumentErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Installations/{installationId}/Acceptances/{sha256}/TermsDocument',
    ...options
});

/**
 * List the install requests of an account
 *
 * Oldest first, with price and permissions and without passwords: all of them for admins of the account, for members their own. `GET /v1/Apps/{appId}` shows the texts that are to be accepted.
 */
export const listInstallRequests = <ThrowOnError extends boolean = true>(options: Options<ListInstallRequestsData, ThrowOnError>): RequestResult<ListInstallRequestsResponses, ListInstallRequestsErrors, ThrowOnError> => options.client.get<ListInstallRequestsResponses, ListInstallRequestsErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Parties/{id}/InstallRequests',
    ...options
});

/**
 * Ask an admin to install an app
 *
 * For every member of the account. The request is checked as an install is, and all problems are named at once. One request for an app waits at a time in an account (`already_exists`), and at most 20 of one user (`conflict`). It ends when its author leaves the account. `conflict` also when the app has another version than the one that is named.
 */
export const createInstallRequest = <ThrowOnError extends boolean = true>(options: Options<CreateInstallRequestData, ThrowOnError>): RequestResult<CreateInstallRequestResponses, CreateInstallRequestErrors, ThrowOnError> => options.client.post<CreateInstallRequestResponses, CreateInstallRequestErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Parties/{id}/InstallRequests',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Install what was asked for
 *
 * Only for admins of the account, who accept the texts of the app in their own name. Everything is checked again: `conflict` when the app has another version than the one that was looked at, or the request is decided already.
 */
export const acceptInstallRequest = <ThrowOnError extends boolean = true>(options: Options<AcceptInstallRequestData, ThrowOnError>): RequestResult<AcceptInstallRequestResponses, AcceptInstallRequestErrors, ThrowOnError> => options.client.post<AcceptInstallRequestResponses, AcceptInstallRequestErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Parties/{id}/InstallRequests/{requestId}/Accept',
    ...options
});

/**
 * Decline an install request
 *
 * Only for admins of the account. The user who asked reads the reason. `conflict` when the request is decided already.
 */
export const declineInstallRequest = <ThrowOnError extends boolean = true>(options: Options<DeclineInstallRequestData, ThrowOnError>): RequestResult<DeclineInstallRequestResponses, DeclineInstallRequestErrors, ThrowOnError> => options.client.post<DeclineInstallRequestResponses, DeclineInstallRequestErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Parties/{id}/InstallRequests/{requestId}/Decline',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Withdraw your install request
 *
 * Only for the user who asked. It stays in the list as `withdrawn`. `conflict` when it is decided already.
 */
export const deleteInstallRequest = <ThrowOnError extends boolean = true>(options: Options<DeleteInstallRequestData, ThrowOnError>): RequestResult<DeleteInstallRequestResponses, DeleteInstallRequestErrors, ThrowOnError> => options.client.delete<DeleteInstallRequestResponses, DeleteInstallRequestErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Parties/{id}/InstallRequests/{requestId}',
    ...options
});

/**
 * See what happened to your accounts and their installations
 *
 * Newest first. Entries are never deleted or changed; only `after.count`, of what happens often, rises within the hour. Developers and the operator are named by kind only. Where you are no admin, without invitations, memberships and install requests of others. Without `partyId` also the secrets of yours that were reported and have ended (`secret.reported`).
 */
export const listAccountAuditEntries = <ThrowOnError extends boolean = true>(options: Options<ListAccountAuditEntriesData, ThrowOnError>): RequestResult<ListAccountAuditEntriesResponses, ListAccountAuditEntriesErrors, ThrowOnError> => options.client.get<ListAccountAuditEntriesResponses, ListAccountAuditEntriesErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Audit',
    ...options
});

/**
 * List the open invitations to an account
 *
 * Only for admins of the account. Those by the operator too, oldest first, without their links.
 */
export const listPartyInvitations = <ThrowOnError extends boolean = true>(options: Options<ListPartyInvitationsData, ThrowOnError>): RequestResult<ListPartyInvitationsResponses, ListPartyInvitationsErrors, ThrowOnError> => options.client.get<ListPartyInvitationsResponses, ListPartyInvitationsErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Parties/{id}/Invitations',
    ...options
});

/**
 * Invite a person to your account
 *
 * For admins of the account. The link of the invitation works once, for 7 days. A newer invitation of the same address by the same side ends it. At most 50 in 24 hours.
 */
export const createPartyInvitation = <ThrowOnError extends boolean = true>(options: Options<CreatePartyInvitationData, ThrowOnError>): RequestResult<CreatePartyInvitationResponses, CreatePartyInvitationErrors, ThrowOnError> => options.client.post<CreatePartyInvitationResponses, CreatePartyInvitationErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Parties/{id}/Invitations',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Revoke an open invitation to an account
 *
 * Only for admins of the account. Its link is refused from now on. An invitation by the operator that also leads elsewhere goes on for that.
 */
export const deletePartyInvitation = <ThrowOnError extends boolean = true>(options: Options<DeletePartyInvitationData, ThrowOnError>): RequestResult<DeletePartyInvitationResponses, DeletePartyInvitationErrors, ThrowOnError> => options.client.delete<DeletePartyInvitationResponses, DeletePartyInvitationErrors, ThrowOnError>({
    security: [{
            key: 'accountToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Account/Parties/{id}/Invitations/{invitationId}',
    ...options
});

/**
 * List developers
 *
 * Oldest first. Needs the role operator or support.
 */
export const listDevelopers = <ThrowOnError extends boolean = true>(options: Options<ListDevelopersData, ThrowOnError>): RequestResult<ListDevelopersResponses, ListDevelopersErrors, ThrowOnError> => options.client.get<ListDevelopersResponses, ListDevelopersErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Developers',
    ...options
});

/**
 * Create a developer
 *
 * Makes the developer, its first credential and its sandbox party with sample products. Only this response shows a generated password; a chosen one is never shown. Needs the role operator.
 */
export const createDeveloper = <ThrowOnError extends boolean = true>(options: Options<CreateDeveloperData, ThrowOnError>): RequestResult<CreateDeveloperResponses, CreateDeveloperErrors, ThrowOnError> => options.client.post<CreateDeveloperResponses, CreateDeveloperErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Developers',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read a developer
 *
 * The developer with its sandbox party, and whether it is suspended. Needs the role operator or support.
 */
export const readDeveloper = <ThrowOnError extends boolean = true>(options: Options<ReadDeveloperData, ThrowOnError>): RequestResult<ReadDeveloperResponses, ReadDeveloperErrors, ThrowOnError> => options.client.get<ReadDeveloperResponses, ReadDeveloperErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Developers/{id}',
    ...options
});

/**
 * Rename a developer
 *
 * Its sandbox party is renamed with it, unless it was given a name of its own. Needs the role operator.
 */
export const changeDeveloper = <ThrowOnError extends boolean = true>(options: Options<ChangeDeveloperData, ThrowOnError>): RequestResult<ChangeDeveloperResponses, ChangeDeveloperErrors, ThrowOnError> => options.client.patch<ChangeDeveloperResponses, ChangeDeveloperErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Developers/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the live credentials of a developer
 *
 * Client ids without their passwords, which nobody can read. Removed credentials are left out. Needs the role operator or support.
 */
export const listCredentials = <ThrowOnError extends boolean = true>(options: Options<ListCredentialsData, ThrowOnError>): RequestResult<ListCredentialsResponses, ListCredentialsErrors, ThrowOnError> => options.client.get<ListCredentialsResponses, ListCredentialsErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Developers/{id}/Credentials',
    ...options
});

/**
 * Give a developer another credential
 *
 * A developer has at most two live credentials, so that it can change from one to the other without a gap; a third gets `conflict`. Only this response shows a generated password; a chosen one is never shown. Needs the role operator.
 */
export const createCredential = <ThrowOnError extends boolean = true>(options: Options<CreateCredentialData, ThrowOnError>): RequestResult<CreateCredentialResponses, CreateCredentialErrors, ThrowOnError> => options.client.post<CreateCredentialResponses, CreateCredentialErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Developers/{id}/Credentials',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove a credential
 *
 * Its tokens, and the installation tokens made with it, are refused from the next request on, and its client id is never used again. The last credential may be removed too: the developer is then locked out until it gets a new one. Needs the role operator.
 */
export const deleteCredential = <ThrowOnError extends boolean = true>(options: Options<DeleteCredentialData, ThrowOnError>): RequestResult<DeleteCredentialResponses, DeleteCredentialErrors, ThrowOnError> => options.client.delete<DeleteCredentialResponses, DeleteCredentialErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Developers/{id}/Credentials/{credentialId}',
    ...options
});

/**
 * List the people of a developer
 *
 * Those who sign in to the developer console with a login of their own. Needs the role operator or support.
 */
export const listMembersOfDeveloper = <ThrowOnError extends boolean = true>(options: Options<ListMembersOfDeveloperData, ThrowOnError>): RequestResult<ListMembersOfDeveloperResponses, ListMembersOfDeveloperErrors, ThrowOnError> => options.client.get<ListMembersOfDeveloperResponses, ListMembersOfDeveloperErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Developers/{id}/Members',
    ...options
});

/**
 * Add a person to a developer
 *
 * The user opens the developer console with the own sign-in. At most 50 people. Needs the role operator.
 */
export const createMemberOfDeveloper = <ThrowOnError extends boolean = true>(options: Options<CreateMemberOfDeveloperData, ThrowOnError>): RequestResult<CreateMemberOfDeveloperResponses, CreateMemberOfDeveloperErrors, ThrowOnError> => options.client.post<CreateMemberOfDeveloperResponses, CreateMemberOfDeveloperErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Developers/{id}/Members',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove a person from a developer
 *
 * You may remove the last owner: nobody manages the people until you add or invite another. Needs the role operator.
 */
export const deleteMemberOfDeveloper = <ThrowOnError extends boolean = true>(options: Options<DeleteMemberOfDeveloperData, ThrowOnError>): RequestResult<DeleteMemberOfDeveloperResponses, DeleteMemberOfDeveloperErrors, ThrowOnError> => options.client.delete<DeleteMemberOfDeveloperResponses, DeleteMemberOfDeveloperErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Developers/{id}/Members/{userId}',
    ...options
});

/**
 * Give a person of a developer another role
 *
 * It takes effect at the next request, also for open sessions. Needs the role operator.
 */
export const changeMemberOfDeveloper = <ThrowOnError extends boolean = true>(options: Options<ChangeMemberOfDeveloperData, ThrowOnError>): RequestResult<ChangeMemberOfDeveloperResponses, ChangeMemberOfDeveloperErrors, ThrowOnError> => options.client.patch<ChangeMemberOfDeveloperResponses, ChangeMemberOfDeveloperErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Developers/{id}/Members/{userId}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List parties
 *
 * In the order of their ids, the sandbox parties of developers included. Needs the role operator or support.
 */
export const listParties = <ThrowOnError extends boolean = true>(options: Options<ListPartiesData, ThrowOnError>): RequestResult<ListPartiesResponses, ListPartiesErrors, ThrowOnError> => options.client.get<ListPartiesResponses, ListPartiesErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Parties',
    ...options
});

/**
 * Create a party
 *
 * A Buyer or a Seller without users: memberships say who acts for it. Names may be alike. Needs the role operator.
 */
export const createParty = <ThrowOnError extends boolean = true>(options: Options<CreatePartyData, ThrowOnError>): RequestResult<CreatePartyResponses, CreatePartyErrors, ThrowOnError> => options.client.post<CreatePartyResponses, CreatePartyErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Parties',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read a party
 *
 * The party with its type, and whether it is suspended. Needs the role operator or support.
 */
export const readParty = <ThrowOnError extends boolean = true>(options: Options<ReadPartyData, ThrowOnError>): RequestResult<ReadPartyResponses, ReadPartyErrors, ThrowOnError> => options.client.get<ReadPartyResponses, ReadPartyErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Parties/{id}',
    ...options
});

/**
 * Rename a party
 *
 * Its id, its type and everything that belongs to it stay. Needs the role operator.
 */
export const changeParty = <ThrowOnError extends boolean = true>(options: Options<ChangePartyData, ThrowOnError>): RequestResult<ChangePartyResponses, ChangePartyErrors, ThrowOnError> => options.client.patch<ChangePartyResponses, ChangePartyErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Parties/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List connections
 *
 * Which Buyer sees the products of which Seller, in the order of their ids. Needs the role operator or support.
 */
export const listConnections = <ThrowOnError extends boolean = true>(options: Options<ListConnectionsData, ThrowOnError>): RequestResult<ListConnectionsResponses, ListConnectionsErrors, ThrowOnError> => options.client.get<ListConnectionsResponses, ListConnectionsErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Connections',
    ...options
});

/**
 * Connect a Buyer with a Seller
 *
 * The Buyer sees the products of the Seller from then on. Needs the role operator.
 */
export const createConnection = <ThrowOnError extends boolean = true>(options: Options<CreateConnectionData, ThrowOnError>): RequestResult<CreateConnectionResponses, CreateConnectionErrors, ThrowOnError> => options.client.post<CreateConnectionResponses, CreateConnectionErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Connections',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Disconnect a Buyer from a Seller
 *
 * From the next request on, apps of the Buyer no longer see the products of the Seller. Needs the role operator.
 */
export const deleteConnection = <ThrowOnError extends boolean = true>(options: Options<DeleteConnectionData, ThrowOnError>): RequestResult<DeleteConnectionResponses, DeleteConnectionErrors, ThrowOnError> => options.client.delete<DeleteConnectionResponses, DeleteConnectionErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Connections/{buyerId}/{sellerId}',
    ...options
});

/**
 * List users
 *
 * Oldest first. Needs the role operator or support.
 */
export const listUsers = <ThrowOnError extends boolean = true>(options: Options<ListUsersData, ThrowOnError>): RequestResult<ListUsersResponses, ListUsersErrors, ThrowOnError> => options.client.get<ListUsersResponses, ListUsersErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Users',
    ...options
});

/**
 * Create a user
 *
 * The user signs in with email and password, and is a member of the named parties. Only this response shows a generated password; a chosen one is never shown. Where users sign in by single sign-on only, no password is made, none is taken (`password_login_off`), and the user signs in at the provider with this email. Needs the role operator.
 */
export const createUser = <ThrowOnError extends boolean = true>(options: Options<CreateUserData, ThrowOnError>): RequestResult<CreateUserResponses, CreateUserErrors, ThrowOnError> => options.client.post<CreateUserResponses, CreateUserErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Users',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove a user for good
 *
 * Email and name are replaced, the password opens nothing, memberships, sessions and tokens end. The id stays in the audit trail. The last operator who can sign in (`operator_needed`), the last admin of an account with installed apps, and you yourself (`conflict`) are refused. Needs the role operator.
 */
export const deleteUser = <ThrowOnError extends boolean = true>(options: Options<DeleteUserData, ThrowOnError>): RequestResult<DeleteUserResponses, DeleteUserErrors, ThrowOnError> => options.client.delete<DeleteUserResponses, DeleteUserErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Users/{id}',
    ...options
});

/**
 * Read a user
 *
 * The user with the parties that it may act for, and whether it is suspended. Needs the role operator or support.
 */
export const readUser = <ThrowOnError extends boolean = true>(options: Options<ReadUserData, ThrowOnError>): RequestResult<ReadUserResponses, ReadUserErrors, ThrowOnError> => options.client.get<ReadUserResponses, ReadUserErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Users/{id}',
    ...options
});

/**
 * Change the name, the email or the role of a user
 *
 * What is left out stays. The flag counts from the next request on, also for existing tokens and sessions. You cannot take it from yourself, and nobody can take it from the last operator who can sign in (`operator_needed`). A new email is not confirmed by mail and counts as proved; open links of the user end, sessions and tokens stay. A user whose email nobody has proved gets no role (`email_not_proved`). Needs the role operator.
 */
export const changeUser = <ThrowOnError extends boolean = true>(options: Options<ChangeUserData, ThrowOnError>): RequestResult<ChangeUserResponses, ChangeUserErrors, ThrowOnError> => options.client.patch<ChangeUserResponses, ChangeUserErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Users/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Give a user a new password
 *
 * The user's sessions end at once, its account tokens and tokens from the redirect are refused from the next request on: your own too when you are that user. Only this response shows a generated password; a chosen one is never shown. You need a second factor of your own, and a code of the last ten minutes. Needs the role operator.
 */
export const replaceUserPassword = <ThrowOnError extends boolean = true>(options: Options<ReplaceUserPasswordData, ThrowOnError>): RequestResult<ReplaceUserPasswordResponses, ReplaceUserPasswordErrors, ThrowOnError> => options.client.put<ReplaceUserPasswordResponses, ReplaceUserPasswordErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Users/{id}/Password',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Make a user a member of a party
 *
 * From now on the user may act for the party, as far as its role goes. An `admin`, which is the default, installs, configures and uninstalls its apps and manages its members; a `member` opens them. Needs the role operator.
 */
export const createMembership = <ThrowOnError extends boolean = true>(options: Options<CreateMembershipData, ThrowOnError>): RequestResult<CreateMembershipResponses, CreateMembershipErrors, ThrowOnError> => options.client.post<CreateMembershipResponses, CreateMembershipErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Memberships',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * End a membership
 *
 * Tokens that the user got for the party's installations are refused from the next request on, also when the user joins again. Needs the role operator.
 */
export const deleteMembership = <ThrowOnError extends boolean = true>(options: Options<DeleteMembershipData, ThrowOnError>): RequestResult<DeleteMembershipResponses, DeleteMembershipErrors, ThrowOnError> => options.client.delete<DeleteMembershipResponses, DeleteMembershipErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Memberships/{userId}/{partyId}',
    ...options
});

/**
 * Give a member of a party another role
 *
 * The role counts from the next request on, also for existing tokens and sessions. You may leave a party without an admin; its own members cannot. Needs the role operator.
 */
export const changeMembership = <ThrowOnError extends boolean = true>(options: Options<ChangeMembershipData, ThrowOnError>): RequestResult<ChangeMembershipResponses, ChangeMembershipErrors, ThrowOnError> => options.client.patch<ChangeMembershipResponses, ChangeMembershipErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Memberships/{userId}/{partyId}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove the lost second factor of a user
 *
 * Make sure first that it is the user who asks. The user signs in with the password alone then. You need a second factor of your own, and a code of the last ten minutes. Your own is a conflict: turn it off in your account, with a code. Needs the role operator.
 */
export const deleteUserSecondFactor = <ThrowOnError extends boolean = true>(options: Options<DeleteUserSecondFactorData, ThrowOnError>): RequestResult<DeleteUserSecondFactorResponses, DeleteUserSecondFactorErrors, ThrowOnError> => options.client.delete<DeleteUserSecondFactorResponses, DeleteUserSecondFactorErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Users/{id}/SecondFactor',
    ...options
});

/**
 * List open invitations
 *
 * Those of accounts and developers too, oldest first, without their links. Needs the role operator or support.
 */
export const listInvitations = <ThrowOnError extends boolean = true>(options: Options<ListInvitationsData, ThrowOnError>): RequestResult<ListInvitationsResponses, ListInvitationsErrors, ThrowOnError> => options.client.get<ListInvitationsResponses, ListInvitationsErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Invitations',
    ...options
});

/**
 * Invite a person
 *
 * To accounts, to a developer, or to the operator console. A new user chooses a password; an existing user keeps its own. The link of the invitation works once, for 7 days. A newer invitation of the same address by the same side ends it. Needs the role operator.
 */
export const createInvitation = <ThrowOnError extends boolean = true>(options: Options<CreateInvitationData, ThrowOnError>): RequestResult<CreateInvitationResponses, CreateInvitationErrors, ThrowOnError> => options.client.post<CreateInvitationResponses, CreateInvitationErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Invitations',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Revoke an open invitation
 *
 * Its link no longer works. Needs the role operator.
 */
export const deleteInvitation = <ThrowOnError extends boolean = true>(options: Options<DeleteInvitationData, ThrowOnError>): RequestResult<DeleteInvitationResponses, DeleteInvitationErrors, ThrowOnError> => options.client.delete<DeleteInvitationResponses, DeleteInvitationErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Invitations/{id}',
    ...options
});

/**
 * Make a link for a new password
 *
 * The user chooses a new password with the link, which works once, for 30 minutes; the present one stays until then. It is mailed where a mail server is set; otherwise the answer has it, this once, for you to hand over. Needs the role operator.
 */
export const createUserPasswordReset = <ThrowOnError extends boolean = true>(options: Options<CreateUserPasswordResetData, ThrowOnError>): RequestResult<CreateUserPasswordResetResponses, CreateUserPasswordResetErrors, ThrowOnError> => options.client.post<CreateUserPasswordResetResponses, CreateUserPasswordResetErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Users/{id}/PasswordReset',
    ...options
});

/**
 * List all apps
 *
 * In the order of their ids, listed or not. Needs the role operator or support.
 */
export const listAllApps = <ThrowOnError extends boolean = true>(options: Options<ListAllAppsData, ThrowOnError>): RequestResult<ListAllAppsResponses, ListAllAppsErrors, ThrowOnError> => options.client.get<ListAllAppsResponses, ListAllAppsErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Apps',
    ...options
});

/**
 * Read an app
 *
 * Listed or not, suspended or not. Needs the role operator or support.
 */
export const readAnyApp = <ThrowOnError extends boolean = true>(options: Options<ReadAnyAppData, ThrowOnError>): RequestResult<ReadAnyAppResponses, ReadAnyAppErrors, ThrowOnError> => options.client.get<ReadAnyAppResponses, ReadAnyAppErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Apps/{id}',
    ...options
});

/**
 * List all installations
 *
 * Oldest first. Without settings, which concern the account and the developer. Needs the role operator or support.
 */
export const listAllInstallations = <ThrowOnError extends boolean = true>(options: Options<ListAllInstallationsData, ThrowOnError>): RequestResult<ListAllInstallationsResponses, ListAllInstallationsErrors, ThrowOnError> => options.client.get<ListAllInstallationsResponses, ListAllInstallationsErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Installations',
    ...options
});

/**
 * Read an installation
 *
 * Uninstalled ones included. No settings. Needs the role operator or support.
 */
export const readAnyInstallation = <ThrowOnError extends boolean = true>(options: Options<ReadAnyInstallationData, ThrowOnError>): RequestResult<ReadAnyInstallationResponses, ReadAnyInstallationErrors, ThrowOnError> => options.client.get<ReadAnyInstallationResponses, ReadAnyInstallationErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Installations/{id}',
    ...options
});

/**
 * List what was accepted for an installation
 *
 * Acknowledgements, terms and permissions at the install and at each upgrade, oldest first, in the words that they had then. Uninstalled installations included. Needs the role operator or support.
 */
export const listOperatorAcceptances = <ThrowOnError extends boolean = true>(options: Options<ListOperatorAcceptancesData, ThrowOnError>): RequestResult<ListOperatorAcceptancesResponses, ListOperatorAcceptancesErrors, ThrowOnError> => options.client.get<ListOperatorAcceptancesResponses, ListOperatorAcceptancesErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Installations/{id}/Acceptances',
    ...options
});

/**
 * Read a terms document that was accepted
 *
 * The document with this hash, also one that an upgrade has replaced. The response is a file to be saved. Needs the role operator or support.
 */
export const readOperatorAcceptedTermsDocument = <ThrowOnError extends boolean = true>(options: Options<ReadOperatorAcceptedTermsDocumentData, ThrowOnError>): RequestResult<ReadOperatorAcceptedTermsDocumentResponses, ReadOperatorAcceptedTermsDocumentErrors, ThrowOnError> => options.client.get<ReadOperatorAcceptedTermsDocumentResponses, ReadOperatorAcceptedTermsDocumentErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Installations/{id}/Acceptances/{sha256}/TermsDocument',
    ...options
});

/**
 * Read how an installation is used
 *
 * Requests, products and refusals by day and permission, and when each permission was used last. Each server process counts in memory and writes once a minute: the last minute is not in it, and of a server that is killed never will be. At most 400 days, which is how long they are kept. Needs the role operator or support.
 */
export const readAnyInstallationUsage = <ThrowOnError extends boolean = true>(options: Options<ReadAnyInstallationUsageData, ThrowOnError>): RequestResult<ReadAnyInstallationUsageResponses, ReadAnyInstallationUsageErrors, ThrowOnError> => options.client.get<ReadAnyInstallationUsageResponses, ReadAnyInstallationUsageErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Installations/{id}/Usage',
    ...options
});

/**
 * Suspend a developer
 *
 * Its programs can no longer sign in and its console is closed; its tokens and those of all installations of its apps are refused; its apps leave the catalogue. All this holds from the next request on. A closed one gets `conflict`. Repeating the call changes nothing, but another reason replaces the first. Needs the role operator.
 */
export const suspendDeveloperAsOperator = <ThrowOnError extends boolean = true>(options: Options<SuspendDeveloperAsOperatorData, ThrowOnError>): RequestResult<SuspendDeveloperAsOperatorResponses, SuspendDeveloperAsOperatorErrors, ThrowOnError> => options.client.post<SuspendDeveloperAsOperatorResponses, SuspendDeveloperAsOperatorErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Developers/{id}/Suspend',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Resume a developer
 *
 * Everything works again from the next request on, including tokens that have not expired. Repeating the call changes nothing. Needs the role operator.
 */
export const resumeDeveloperAsOperator = <ThrowOnError extends boolean = true>(options: Options<ResumeDeveloperAsOperatorData, ThrowOnError>): RequestResult<ResumeDeveloperAsOperatorResponses, ResumeDeveloperAsOperatorErrors, ThrowOnError> => options.client.post<ResumeDeveloperAsOperatorResponses, ResumeDeveloperAsOperatorErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Developers/{id}/Resume',
    ...options
});

/**
 * Suspend an app
 *
 * Hidden from the catalogue. Nobody can install or open it, and the tokens of its installations are refused. All this holds from the next request on. Repeating the call changes nothing, but another reason replaces the first. Needs the role operator.
 */
export const suspendAppAsOperator = <ThrowOnError extends boolean = true>(options: Options<SuspendAppAsOperatorData, ThrowOnError>): RequestResult<SuspendAppAsOperatorResponses, SuspendAppAsOperatorErrors, ThrowOnError> => options.client.post<SuspendAppAsOperatorResponses, SuspendAppAsOperatorErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Apps/{id}/Suspend',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Resume an app
 *
 * Everything works again from the next request on, including tokens that have not expired. Repeating the call changes nothing. Needs the role operator.
 */
export const resumeAppAsOperator = <ThrowOnError extends boolean = true>(options: Options<ResumeAppAsOperatorData, ThrowOnError>): RequestResult<ResumeAppAsOperatorResponses, ResumeAppAsOperatorErrors, ThrowOnError> => options.client.post<ResumeAppAsOperatorResponses, ResumeAppAsOperatorErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Apps/{id}/Resume',
    ...options
});

/**
 * Suspend a party
 *
 * The tokens of its installations are refused, and it opens no app. All this holds from the next request on. A closed one gets `conflict`. Repeating the call changes nothing, but another reason replaces the first. Needs the role operator.
 */
export const suspendPartyAsOperator = <ThrowOnError extends boolean = true>(options: Options<SuspendPartyAsOperatorData, ThrowOnError>): RequestResult<SuspendPartyAsOperatorResponses, SuspendPartyAsOperatorErrors, ThrowOnError> => options.client.post<SuspendPartyAsOperatorResponses, SuspendPartyAsOperatorErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Parties/{id}/Suspend',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Resume a party
 *
 * Everything works again from the next request on, including tokens that have not expired. Repeating the call changes nothing. Needs the role operator.
 */
export const resumePartyAsOperator = <ThrowOnError extends boolean = true>(options: Options<ResumePartyAsOperatorData, ThrowOnError>): RequestResult<ResumePartyAsOperatorResponses, ResumePartyAsOperatorErrors, ThrowOnError> => options.client.post<ResumePartyAsOperatorResponses, ResumePartyAsOperatorErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Parties/{id}/Resume',
    ...options
});

/**
 * Suspend a user
 *
 * The user can no longer sign in; its sessions and tokens are refused. All this holds from the next request on. You cannot suspend yourself (`conflict`), nor the last operator who can sign in (`operator_needed`). Repeating the call changes nothing, but another reason replaces the first. Needs the role operator.
 */
export const suspendUserAsOperator = <ThrowOnError extends boolean = true>(options: Options<SuspendUserAsOperatorData, ThrowOnError>): RequestResult<SuspendUserAsOperatorResponses, SuspendUserAsOperatorErrors, ThrowOnError> => options.client.post<SuspendUserAsOperatorResponses, SuspendUserAsOperatorErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Users/{id}/Suspend',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Resume a user
 *
 * Everything works again from the next request on, including tokens that have not expired. Repeating the call changes nothing. Needs the role operator.
 */
export const resumeUserAsOperator = <ThrowOnError extends boolean = true>(options: Options<ResumeUserAsOperatorData, ThrowOnError>): RequestResult<ResumeUserAsOperatorResponses, ResumeUserAsOperatorErrors, ThrowOnError> => options.client.post<ResumeUserAsOperatorResponses, ResumeUserAsOperatorErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Users/{id}/Resume',
    ...options
});

/**
 * Suspend an installation
 *
 * Its tokens are refused and no new ones are made. It replaces a suspension by the developer, and only the operator can resume it. If the installation is uninstalled, its account can install the app again only when the operator resumes it. All this holds from the next request on. Suspending an uninstalled installation gets `conflict`. Repeating the call changes nothing, but another reason replaces the first. Needs the role operator.
 */
export const suspendInstallationAsOperator = <ThrowOnError extends boolean = true>(options: Options<SuspendInstallationAsOperatorData, ThrowOnError>): RequestResult<SuspendInstallationAsOperatorResponses, SuspendInstallationAsOperatorErrors, ThrowOnError> => options.client.post<SuspendInstallationAsOperatorResponses, SuspendInstallationAsOperatorErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Installations/{id}/Suspend',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Resume an installation
 *
 * Everything works again from the next request on, including tokens that have not expired. Repeating the call changes nothing. Needs the role operator.
 */
export const resumeInstallationAsOperator = <ThrowOnError extends boolean = true>(options: Options<ResumeInstallationAsOperatorData, ThrowOnError>): RequestResult<ResumeInstallationAsOperatorResponses, ResumeInstallationAsOperatorErrors, ThrowOnError> => options.client.post<ResumeInstallationAsOperatorResponses, ResumeInstallationAsOperatorErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Installations/{id}/Resume',
    ...options
});

/**
 * Close a party for good
 *
 * Its users lose access to it, its connections end, and nothing can be installed for it again. For good: a closed one cannot be resumed. While it has apps installed the answer is `conflict`; uninstall them first. Closing it again changes nothing. The sandbox of a developer closes with its developer. Needs the role operator.
 */
export const closeParty = <ThrowOnError extends boolean = true>(options: Options<ClosePartyData, ThrowOnError>): RequestResult<ClosePartyResponses, ClosePartyErrors, ThrowOnError> => options.client.post<ClosePartyResponses, ClosePartyErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Parties/{id}/Close',
    ...options
});

/**
 * Close a developer for good
 *
 * Its programs can no longer sign in, its console is closed, its apps leave the catalogue, and its sandbox is closed and emptied. For good: a closed one cannot be resumed. While accounts have its apps installed the answer is `conflict`; uninstall them first. Closing it again changes nothing. Needs the role operator.
 */
export const closeDeveloper = <ThrowOnError extends boolean = true>(options: Options<CloseDeveloperData, ThrowOnError>): RequestResult<CloseDeveloperResponses, CloseDeveloperErrors, ThrowOnError> => options.client.post<CloseDeveloperResponses, CloseDeveloperErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Developers/{id}/Close',
    ...options
});

/**
 * See who did what
 *
 * Newest first. Entries are never deleted or changed; only `after.count`, of what happens often, rises within the hour. Needs the role operator or support.
 */
export const listAuditEntries = <ThrowOnError extends boolean = true>(options: Options<ListAuditEntriesData, ThrowOnError>): RequestResult<ListAuditEntriesResponses, ListAuditEntriesErrors, ThrowOnError> => options.client.get<ListAuditEntriesResponses, ListAuditEntriesErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Audit',
    ...options
});

/**
 * Export who did what as a file
 *
 * Newest first. Entries are never deleted or changed; only `after.count`, of what happens often, rises within the hour. One JSON text per line, or CSV, in which what a spreadsheet would take for a formula has an apostrophe in front. The file is sent while it is read: a failure after its first entries cuts the connection off. Then discard the file. Needs the role operator or support.
 */
export const exportAuditEntries = <ThrowOnError extends boolean = true>(options: Options<ExportAuditEntriesData, ThrowOnError>): RequestResult<ExportAuditEntriesResponses, ExportAuditEntriesErrors, ThrowOnError> => options.client.get<ExportAuditEntriesResponses, ExportAuditEntriesErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Operator/Audit/Export',
    ...options
});

/**
 * Read metrics for Prometheus
 *
 * Requests, latencies, tokens, sign-ins, connections, memory and webhooks. Where `METRICS_PORT` is set, metrics are on that port, without a token, and not here. Needs the role operator or support.
 */
export const readMetrics = <ThrowOnError extends boolean = true>(options: Options<ReadMetricsData, ThrowOnError>): RequestResult<ReadMetricsResponses, ReadMetricsErrors, ThrowOnError> => options.client.get<ReadMetricsResponses, ReadMetricsErrors, ThrowOnError>({
    security: [{
            key: 'operatorToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/metrics',
    ...options
});

/**
 * List products
 *
 * Needs `products:read`. A Seller sees its own products, a Buyer those of the Sellers it is connected with, a sandbox its own. Send the `ETag` of a page back in `If-None-Match`: while nothing has changed, the answer is 304. With `Accept: application/x-ndjson` everything that matches comes in one answer, one product per line; if the connection drops, discard the answer. With `Accept: text/csv` they come as a table whose first row names the columns. `POST /v1/Products/Import` takes both as they are. An installation has at most 4 of these at once. One takes an hour at most and ends within about a second, without the rest, when its token is revoked or its installation suspended. A client that takes nothing for 40 s is cut off. With `Accept-Encoding: gzip` or `br` it is compressed on the way.
 */
export const listProducts = <ThrowOnError extends boolean = true>(options: Options<ListProductsData, ThrowOnError>): RequestResult<ListProductsResponses, ListProductsErrors, ThrowOnError> => options.client.get<ListProductsResponses, ListProductsErrors, ThrowOnError>({
    security: [{
            key: 'installationToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Products',
    ...options
});

/**
 * Create or replace a product
 *
 * Needs `products:write`. Sellers and sandboxes change their own products; Buyers have none. The product with this brand and part number is replaced as a whole: optional fields that are left out become null. 201 when it was created, 200 when it existed.
 */
export const upsertProduct = <ThrowOnError extends boolean = true>(options: Options<UpsertProductData, ThrowOnError>): RequestResult<UpsertProductResponses, UpsertProductErrors, ThrowOnError> => options.client.post<UpsertProductResponses, UpsertProductErrors, ThrowOnError>({
    security: [{
            key: 'installationToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Products',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete a product
 *
 * Needs `products:write`. Sellers and sandboxes change their own products; Buyers have none. `If-Match` with the ETag of the product keeps you from overwriting the change of somebody else.
 */
export const deleteProduct = <ThrowOnError extends boolean = true>(options: Options<DeleteProductData, ThrowOnError>): RequestResult<DeleteProductResponses, DeleteProductErrors, ThrowOnError> => options.client.delete<DeleteProductResponses, DeleteProductErrors, ThrowOnError>({
    security: [{
            key: 'installationToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Products/{id}',
    ...options
});

/**
 * Read one product
 *
 * Needs `products:read`. Send the `ETag` back in `If-None-Match`: while the product has not changed, the answer is 304. Send it in `If-Match` with a change, so that you do not overwrite what you have not seen.
 */
export const readProduct = <ThrowOnError extends boolean = true>(options: Options<ReadProductData, ThrowOnError>): RequestResult<ReadProductResponses, ReadProductErrors, ThrowOnError> => options.client.get<ReadProductResponses, ReadProductErrors, ThrowOnError>({
    security: [{
            key: 'installationToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Products/{id}',
    ...options
});

/**
 * Change fields of a product
 *
 * Needs `products:write`. Sellers and sandboxes change their own products; Buyers have none. A merge patch: fields that are left out stay; null clears an optional one. `If-Match` with the ETag of the product keeps you from overwriting the change of somebody else.
 */
export const changeProduct = <ThrowOnError extends boolean = true>(options: Options<ChangeProductData, ThrowOnError>): RequestResult<ChangeProductResponses, ChangeProductErrors, ThrowOnError> => options.client.patch<ChangeProductResponses, ChangeProductErrors, ThrowOnError>({
    security: [{
            key: 'installationToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Products/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Follow the changes of the products
 *
 * Needs `products:read`. Without a cursor all products come, as upserts. Every answer, also an empty one, has a `Link` with `rel="next"`: request that address later to get what has changed since. Changes of one Seller come in the order in which they took effect, and none is skipped; of a product that changed several times you may get only the last state. A Buyer gets all products of a Seller after a new connection; when a connection ends, the answers no longer have the products of that Seller, and report no deletions of them. Deletions are kept for 30 days; an older cursor is answered with 410 `cursor_expired`, and so is one that 1,000 others followed where there are more than about fifty Sellers, and every cursor from before the marketplace was restored from a backup. Ignore deletions of products that you do not have.
 */
export const listProductChanges = <ThrowOnError extends boolean = true>(options: Options<ListProductChangesData, ThrowOnError>): RequestResult<ListProductChangesResponses, ListProductChangesErrors, ThrowOnError> => options.client.get<ListProductChangesResponses, ListProductChangesErrors, ThrowOnError>({
    security: [{
            key: 'installationToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Products/Changes',
    ...options
});

/**
 * Create or replace up to 1,000 products
 *
 * Needs `products:write`. Sellers and sandboxes change their own products; Buyers have none. Each record is as for `POST /v1/Products`. Good records are written together, in one transaction; bad ones are refused: look at the status of each result. For more records use `POST /v1/Products/Import`.
 */
export const upsertProducts = <ThrowOnError extends boolean = true>(options: Options<UpsertProductsData, ThrowOnError>): RequestResult<UpsertProductsResponses, UpsertProductsErrors, ThrowOnError> => options.client.post<UpsertProductsResponses, UpsertProductsErrors, ThrowOnError>({
    security: [{
            key: 'installationToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Products/Batch',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the imports of the account
 *
 * Needs `products:write`. Newest first. Imports are listed for 30 days.
 */
export const listImports = <ThrowOnError extends boolean = true>(options: Options<ListImportsData, ThrowOnError>): RequestResult<ListImportsResponses, ListImportsErrors, ThrowOnError> => options.client.get<ListImportsResponses, ListImportsErrors, ThrowOnError>({
    security: [{
            key: 'installationToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Products/Imports',
    ...options
});

/**
 * Get import progress
 *
 * Needs `products:write`.
 */
export const readImport = <ThrowOnError extends boolean = true>(options: Options<ReadImportData, ThrowOnError>): RequestResult<ReadImportResponses, ReadImportErrors, ThrowOnError> => options.client.get<ReadImportResponses, ReadImportErrors, ThrowOnError>({
    security: [{
            key: 'installationToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Products/Imports/{importId}',
    ...options
});

/**
 * Import a file of products
 *
 * Needs `products:write`. The body is CSV in UTF-8 whose first row names the columns (`brand`, `partNumber`, `inStock`, and any of the others, in any order; columns without a name and rows of empty cells are passed over), or NDJSON with a record per line; `Content-Encoding: gzip` is supported, up to 200 times the length when decompressed. An export of `GET /v1/Products` is taken as it is: `id` may be there and must then be that of the account's product with this brand and part number. Each record as for `POST /v1/Products`, and each brand and part number once. Everything takes effect at once, at the end. Rows with problems refuse the whole file with 422, or are left out with `onError=skip`. A file that hides where its rows end (a quote that is not closed, a line over 1 MiB) or has more than 100,000 rows with problems or 10,000 empty lines is not read on and always refused. To watch a long import, choose its `importId` and read `GET /v1/Products/Imports/{importId}` meanwhile. An account has one import at a time (409 `import_running`, with the `importId` of the other), and a developer 8 on each server process (503). An upload may take an hour, at 1 MiB or more in each minute.
 */
export const importProducts = <ThrowOnError extends boolean = true>(options: Options<ImportProductsData, ThrowOnError>): RequestResult<ImportProductsResponses, ImportProductsErrors, ThrowOnError> => options.client.post<ImportProductsResponses, ImportProductsErrors, ThrowOnError>({
    bodySerializer: null,
    security: [{
            key: 'installationToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Products/Import',
    ...options,
    headers: {
        'Content-Type': 'text/csv',
        ...options.headers
    }
});

/**
 * Get the token's account
 *
 * Needs `profile:read`. Also at `/api/v1/user/profile`. `user` is there only for tokens that came from the redirect.
 */
export const readProfile = <ThrowOnError extends boolean = true>(options: Options<ReadProfileData, ThrowOnError>): RequestResult<ReadProfileResponses, ReadProfileErrors, ThrowOnError> => options.client.get<ReadProfileResponses, ReadProfileErrors, ThrowOnError>({
    security: [{
            key: 'installationToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/User/Profile',
    ...options
});

/**
 * Read the installation that the token acts for
 *
 * Passwords are never in it. Without `settings:read` the settings are empty.
 */
export const readOwnInstallation = <ThrowOnError extends boolean = true>(options: Options<ReadOwnInstallationData, ThrowOnError>): RequestResult<ReadOwnInstallationResponses, ReadOwnInstallationErrors, ThrowOnError> => options.client.get<ReadOwnInstallationResponses, ReadOwnInstallationErrors, ThrowOnError>({
    security: [{
            key: 'installationToken',
            scheme: 'bearer',
            type: 'http'
        }],
    url: '/v1/Installation',
    ...options
});
