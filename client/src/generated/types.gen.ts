// @ts-nocheck
// Made by `npm run openapi` from openapi/openapi.json.

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

export type Webhooks = ReceiveInstallationCreatedWebhookRequest | ReceiveInstallationUpgradedWebhookRequest | ReceiveInstallationOptionChangedWebhookRequest | ReceiveInstallationSettingsChangedWebhookRequest | ReceiveInstallationSuspendedWebhookRequest | ReceiveInstallationResumedWebhookRequest | ReceiveInstallationDeletedWebhookRequest | ReceiveBudgetNearWebhookRequest | ReceiveAppListedWebhookRequest | ReceiveAppUnlistedWebhookRequest | ReceiveAppSuspendedWebhookRequest | ReceiveAppResumedWebhookRequest | ReceiveWebhookFailingWebhookRequest | ReceiveWebhookDisabledWebhookRequest | ReceiveSecretReportedWebhookRequest | ReceiveWebhookTestWebhookRequest;

/**
 * What was accepted for an installation, in the words that it had then.
 */
export type Acceptance = {
    /**
     * `permission`: what the app may do, and what it says it is for.
     */
    kind: 'acknowledgement' | 'terms' | 'permission';
    /**
     * Id of the acknowledgement or of the permission; null for the terms.
     */
    id: string | null;
    /**
     * Of the acknowledgement or of the permission; null for the terms.
     */
    title: string | null;
    /**
     * What was accepted. Null for terms that are a PDF or longer than 1 MiB, which `.../Acceptances/{sha256}/TermsDocument` has, and for words of releases that kept the hash alone, where no version of the app has them any more.
     */
    text: string | null;
    /**
     * Of the terms document; else null.
     */
    mediaType: string | null;
    /**
     * Hash of the terms document, or of the JSON array of title and text, in hex.
     */
    sha256: string;
    /**
     * Version of the app that asked for it.
     */
    version: string;
    /**
     * When it was accepted.
     */
    acceptedAt: Timestamp;
    /**
     * Who accepted it.
     */
    acceptedBy: {
        /**
         * A developer accepts in its sandbox only.
         */
        kind: 'developer' | 'user' | 'operator' | 'installation' | 'system';
        /**
         * A user by id, a developer by client id. Null for the people of an account, when its app's developer asks.
         */
        id: string | null;
        /**
         * Name of the user or the developer, likewise.
         */
        name: string | null;
    };
};

export type AcceptedAcknowledgement = {
    id: string;
    /**
     * Hash of the wording that was read: SHA-256 in hex.
     */
    sha256: string;
};

/**
 * The acknowledgements that are accepted, each by the hash of its wording.
 */
export type AcceptedAcknowledgements = Array<AcceptedAcknowledgement>;

/**
 * The user who has accepted an invitation.
 */
export type AcceptedInvitation = {
    /**
     * Id of the user.
     */
    userId: string;
    /**
     * What the user signs in with.
     */
    email: string;
    name: string;
    /**
     * False when the address belonged to a user already.
     */
    created: boolean;
};

/**
 * The terms document that is accepted, if there is one.
 */
export type AcceptedTerms = {
    /**
     * Hash of the wording that was read: SHA-256 in hex.
     */
    sha256: string;
};

/**
 * An installation as the users of its account see it: without passwords and admin settings.
 */
export type AccountInstallation = {
    /**
     * Unique id; used as `installationId` when a token is asked for.
     */
    id: string;
    /**
     * Id of the app.
     */
    appId: string;
    /**
     * Name of the app.
     */
    appName: string;
    /**
     * Type of the installing party.
     */
    partyType: PartyType;
    /**
     * Id of the installing party.
     */
    partyId: number;
    /**
     * Name of the installing party.
     */
    partyName: string;
    /**
     * When the app was installed.
     */
    installDate: Timestamp;
    /**
     * The purchase option that was chosen.
     */
    purchaseOptionId: string;
    /**
     * Version of the app, copied at install time.
     */
    installedVersion: string;
    status: InstallationStatus;
    /**
     * Why it is suspended, or was when it was uninstalled; else null.
     */
    suspendedReason: string | null;
    /**
     * Permissions, copied at install time and fixed.
     */
    permissions: Array<string>;
    /**
     * When the record last changed.
     */
    updatedAt: Timestamp;
    /**
     * Values set by the user, without passwords.
     */
    userSettings: {
        [key: string]: string | number;
    };
    /**
     * Keys of passwords that are set; never their values.
     */
    passwordsSet: Array<string>;
    /**
     * Keys of mandatory user settings without a value.
     */
    missingSettings: Array<string>;
    /**
     * What it costs now, with the products that the account has now.
     */
    quote: Quote;
    /**
     * A later version that the account can agree to.
     */
    upgrade: {
        version: string;
    } | null;
    /**
     * Where a browser opens the app; null when it cannot be opened. An app that takes codes only opens at its own site.
     */
    openUrl: string | null;
    /**
     * Whether the app receives its events: the health of its webhook endpoints.
     */
    webhooks: WebhooksState;
};

/**
 * Something that the purchasing user must acknowledge before the install.
 */
export type Acknowledgement = {
    /**
     * Identifier of the requirement, unique in the app (letters, digits, ".", "_", "-", at most 64).
     */
    id: string;
    /**
     * Short statement beside the checkbox (1 to 200 characters).
     */
    title: string;
    /**
     * What is acknowledged, in full (1 to 4000 characters, plain text).
     */
    text: string;
    order?: DisplayOrder;
};

/**
 * A merge patch (RFC 7396): setting key -> value; null removes one.
 */
export type AdminSettingsPatch = {
    [key: string]: unknown;
};

/**
 * An app as its developer sees it.
 */
export type App = {
    id: string;
    name: string;
    developerName: string;
    /**
     * A line about the app, of its listing; may be empty.
     */
    tagline: string;
    icon: AppIcon | null;
    screenshots: Array<AppScreenshot>;
    description: string;
    partyTypes: Array<OfferedPartyType>;
    /**
     * The latest version, which new installations get.
     */
    version: string;
    /**
     * What is new in it: Markdown; may be empty.
     */
    releaseNotes: string;
    permissions: Array<AppPermission>;
    purchaseOptions: Array<AppPurchaseOption>;
    /**
     * The settings configuration: purchase option id -> setting key -> definition.
     */
    settings: {
        [key: string]: {
            [key: string]: AppSetting;
        };
    };
    acknowledgements: Array<AppAcknowledgement>;
    termsDocument: TermsDocument | null;
    websiteUrl: string | null;
    supportUrl: string | null;
    /**
     * Whether it is in the public catalogue.
     */
    listed: boolean;
    createdAt: Timestamp;
    updatedAt: Timestamp;
    authReturnUrl: string | null;
    /**
     * What the redirect passes to the app.
     */
    tokenDelivery: 'token' | 'code';
    /**
     * Where a user ends after a refusal without a code.
     */
    redirectErrors: 'page' | 'return';
    visibility: Visibility;
    /**
     * Whether the operator has suspended it.
     */
    suspended: boolean;
    /**
     * Why the operator has suspended it, or null.
     */
    suspendedReason: string | null;
    /**
     * Where its events are sent.
     */
    webhooks: Array<AppWebhook>;
};

/**
 * A text that users accept when they install the app.
 */
export type AppAcknowledgement = {
    id: string;
    title: string;
    text: string;
    /**
     * Place in the display; left out where the definition has none.
     */
    order?: number;
    /**
     * What is acknowledged at install: hash of title and text.
     */
    sha256: string;
};

/**
 * Whom to write to.
 */
export type AppContacts = {
    /**
     * Whom to write to about how it works; null for nobody.
     */
    technical?: string | null;
    /**
     * Whom to write to about what it costs; null for nobody.
     */
    billing?: string | null;
    /**
     * Whom to write to about a vulnerability; null for nobody.
     */
    security?: string | null;
};

/**
 * The whole definition of an app, as its developer publishes it.
 */
export type AppDefinition = {
    /**
     * Identifier of the app and slug of its listing: 2 to 64 lower-case letters, digits and single hyphens. Unique on the platform, never changed and never used again, not even after deletion. Some words are reserved (`api`, `new`, `authenticate`, ...).
     */
    id: string;
    /**
     * Display name (1 to 100 characters; surrounding space is dropped), without invisible ones but for the joiners that a script or an emoji needs. It is kept in NFC. Unique on the platform without regard to case or character width.
     */
    name: string;
    /**
     * What the app does, for its listing (up to 4000 characters, plain text).
     */
    description?: string;
    /**
     * The types of account that the app is offered to: Buyer, Seller or both.
     */
    partyTypes: Array<OfferedPartyType>;
    /**
     * Version of the app, any text of 1 to 64 printable characters. Copied to each installation. A change that breaks what was sold needs a version never used before.
     */
    version: string;
    /**
     * What is new in this version, for accounts that upgrade: Markdown, at most 10,000 bytes, without HTML and pictures.
     */
    releaseNotes?: string;
    /**
     * What the app may do on behalf of the installing account; fixed at install.
     */
    permissions?: Array<PermissionRequest>;
    /**
     * The ways to buy the app, 1 to 20, with distinct ids.
     */
    purchaseOptions: Array<PurchaseOption>;
    /**
     * Purchase option id to profile. When a user picks an option, the settings of its profile become configurable; an option without a profile has no settings.
     */
    settings?: {
        [key: string]: {
            [key: string]: SettingDefinition;
        };
    };
    /**
     * What the purchasing user must acknowledge before the install, at most 20.
     */
    acknowledgements?: Array<Acknowledgement>;
    /**
     * Where the browser comes back to with `token` (and `state`) in the query. Absolute https; http only for localhost, 127.0.0.1 and [::1]; no user name, no fragment, no `token` or `state` of its own. Needed for the user redirect flow. At most 2048 characters; null or left out: none.
     */
    authReturnUrl?: string | null;
    /**
     * What the redirect hands over: `token` in the address, or on request a code; or `code` alone, which the app exchanges for the token at `POST /oauth/token`.
     */
    tokenDelivery?: 'token' | 'code';
    /**
     * Where a user ends who cancels, or has no account with the app, when no code was asked for: at a `page` of the marketplace, or back at the authReturnUrl with `error=access_denied`. A user for whom a code was asked is always sent back.
     */
    redirectErrors?: 'page' | 'return';
    /**
     * Address of the app's web site, http or https. At most 2048 characters; null or left out: none.
     */
    websiteUrl?: string | null;
    /**
     * Address where users find help, http or https. At most 2048 characters; null or left out: none.
     */
    supportUrl?: string | null;
};

/**
 * What becomes of the data, in the words of the developer.
 */
export type AppDisclosure = {
    /**
     * What the app keeps on its own side (plain text, up to 2000 characters).
     */
    dataStored?: string;
    /**
     * Where data goes from the app, such as countries.
     */
    dataLeavesTo?: Array<string>;
    /**
     * Days after the uninstall until the data is deleted; null when it is not said.
     */
    retentionDays?: number | null;
    /**
     * Companies that handle the data for the developer.
     */
    subprocessors?: Array<string>;
};

export type AppEventData = {
    appId: string;
    /**
     * The record of the app.
     */
    url: string;
};

/**
 * The icon of an app. Another icon has another id.
 */
export type AppIcon = {
    id: string;
    /**
     * Path on this server: WebP, 64 by 64 pixels.
     */
    small: string;
    /**
     * Path on this server: WebP, at most 128 by 128 pixels.
     */
    medium: string;
    /**
     * Path on this server: WebP, at most 256 by 256 pixels.
     */
    large: string;
};

/**
 * The app is in the public catalogue.
 */
export type AppListedEvent = {
    id: EventId;
    type: 'app.listed';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: AppEventData;
};

/**
 * What a developer says about an app beside its definition.
 */
export type AppListing = {
    /**
     * What the app is, in a line beside its name (1 to 80 characters).
     */
    tagline: string;
    /**
     * What the app does, in full: Markdown, at most 20,000 bytes, without HTML and pictures.
     */
    longDescription?: string;
    /**
     * Ids of categories, at most three.
     */
    categories?: Array<string>;
    contacts?: AppContacts;
    disclosure?: AppDisclosure;
};

/**
 * The listing of an app. Empty before it is saved first.
 */
export type AppListingRecord = {
    tagline: string;
    longDescription: string;
    categories: Array<string>;
    contacts: {
        technical: string | null;
        billing: string | null;
        security: string | null;
    };
    disclosure: {
        dataStored: string;
        dataLeavesTo: Array<string>;
        retentionDays: number | null;
        subprocessors: Array<string>;
    };
};

/**
 * The app; with `dryRun=true` only the changes.
 */
export type AppOrChanges = App | DefinitionChanges;

/**
 * A permission that the app asks for, and why.
 */
export type AppPermission = {
    id: string;
    purpose: string;
};

/**
 * A way to buy the app, with its price.
 */
export type AppPurchaseOption = {
    id: string;
    name: string;
    description?: string;
    pricingModel: PricingModel;
    /**
     * ISO 4217 code.
     */
    currency: string;
    /**
     * Of the flat models.
     */
    monthlyRate?: number;
    /**
     * Of TieredBuckets: products in a bucket.
     */
    bucketSize?: number;
    /**
     * Of TieredBuckets: monthly price of each bucket, started ones included.
     */
    ratePerBucket?: number;
    /**
     * Of TieredBuckets: monthly fee on top.
     */
    baseFee?: number;
    /**
     * Place in the display; left out where the definition has none.
     */
    order?: number;
};

/**
 * A suspended app works again.
 */
export type AppResumedEvent = {
    id: EventId;
    type: 'app.resumed';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: AppEventData;
};

/**
 * A screenshot of an app.
 */
export type AppScreenshot = {
    id: string;
    /**
     * What stands for the picture where it is not seen.
     */
    alt: string;
    /**
     * Under the picture; empty for none.
     */
    caption: string;
    /**
     * Of `full`, in pixels.
     */
    width: number;
    /**
     * Of `full`, in pixels.
     */
    height: number;
    /**
     * Path on this server: WebP, at most 640 pixels on its longer side.
     */
    small: string;
    /**
     * Path on this server: WebP, at most 1600 pixels on its longer side.
     */
    full: string;
};

/**
 * A setting of a purchase option.
 */
export type AppSetting = {
    type: 'text' | 'select' | 'number' | 'boolean' | 'password';
    name: string;
    description?: string;
    placeholder?: string;
    options?: Array<{
        name: string;
        value: string | number;
    }>;
    min?: number;
    max?: number;
    step?: number;
    mandatory: boolean;
    /**
     * Place in the display; left out where the definition has none.
     */
    order?: number;
    scope: 'user' | 'admin';
};

/**
 * The operator suspended the app: all its tokens are refused.
 */
export type AppSuspendedEvent = {
    id: EventId;
    type: 'app.suspended';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: AppEventData;
};

/**
 * The app is no longer in the public catalogue.
 */
export type AppUnlistedEvent = {
    id: EventId;
    type: 'app.unlisted';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: AppEventData;
};

/**
 * A published version of an app, and what changed from the one before.
 */
export type AppVersion = {
    version: string;
    publishedAt: Timestamp;
    /**
     * Whether new installations get it.
     */
    latest: boolean;
    /**
     * How many live installations have it. 10001 means that or more.
     */
    installations: number;
    /**
     * What is new in it: Markdown; may be empty.
     */
    releaseNotes: string;
    permissions: Array<AppPermission>;
    purchaseOptions: Array<AppPurchaseOption>;
    /**
     * The settings configuration: purchase option id -> setting key -> definition.
     */
    settings: {
        [key: string]: {
            [key: string]: AppSetting;
        };
    };
    acknowledgements: Array<AppAcknowledgement>;
    termsDocument: TermsDocument | null;
    /**
     * What is different from the version published before it.
     */
    changes: Array<DefinitionChange>;
};

/**
 * Who finds an app.
 */
export type AppVisibility = {
    visibility: Visibility;
    /**
     * Whether it is in the public catalogue.
     */
    listed: boolean;
    /**
     * The accounts that were named, in the order of their ids.
     */
    partyIds: Array<number>;
};

/**
 * A webhook endpoint as the record of its app shows it.
 */
export type AppWebhook = {
    id: string;
    url: string;
    /**
     * The types of events that are sent; empty: all.
     */
    events: Array<EventTypeName>;
    status: WebhookStatus;
    health: WebhookHealth;
};

/**
 * An entry of the audit trail.
 */
export type AuditRecord = {
    /**
     * Rises with every entry.
     */
    id: number;
    /**
     * When it was done.
     */
    at: Timestamp;
    /**
     * Who did it.
     */
    actor: {
        /**
         * `system` is the marketplace itself, or the operator's command line, whose id is `cli`.
         */
        kind: 'developer' | 'user' | 'operator' | 'installation' | 'system';
        /**
         * A user or operator by id, a developer by client id, an installation by id. A person who worked in the developer console is a user. Null for the marketplace itself, and for an actor of the other side.
         */
        id: string | null;
    };
    /**
     * What was done.
     */
    action: string;
    /**
     * To which thing.
     */
    subject: {
        kind: string;
        id: string;
    };
    /**
     * Fields before, without secrets, or null.
     */
    before: {
        [key: string]: unknown;
    } | null;
    /**
     * Fields after, without secrets, or null. A changed definition has `changes`: at most 100, breaking ones first, with long texts cut off at `…`. When there are more, `changeCount` is the number of all.
     */
    after: {
        [key: string]: unknown;
    } | null;
};

/**
 * The code of the redirect for an installation token, whose scope it has already.
 */
export type AuthorizationCodeGrant = {
    grant_type: 'authorization_code';
    /**
     * Of a credential, unless `Authorization` has it.
     */
    client_id?: string;
    /**
     * Its password, unless the header has it.
     */
    client_secret?: string;
    /**
     * The code of the redirect.
     */
    code: string;
    /**
     * What the code challenge was made of (PKCE).
     */
    code_verifier: string;
    /**
     * The return address of the app, if given.
     */
    redirect_uri?: string;
    /**
     * If given, the base address of this server (RFC 8707).
     */
    resource?: string;
};

/**
 * The result for one record of a batch.
 */
export type BatchResult = {
    /**
     * Place of the record in the batch, from 0.
     */
    index: number;
    /**
     * `unchanged`: the product was so already.
     */
    status: 'created' | 'updated' | 'unchanged' | 'refused';
    /**
     * Id of the product.
     */
    id?: number;
    /**
     * Why the record was refused.
     */
    errors?: Array<FieldError>;
    /**
     * What looks wrong and was taken, such as a wrong check digit; only if there is any.
     */
    warnings?: Array<FieldError>;
};

/**
 * A second factor that waits for its first code.
 */
export type BegunFactor = {
    /**
     * In base32, to be typed into an authenticator app.
     */
    secret: string;
    /**
     * The same for a QR code.
     */
    uri: string;
};

/**
 * An installation has sent 80 percent of the requests that its limit allows in a day (UTC). Told once a day, up to a minute late.
 */
export type BudgetNearEvent = {
    id: EventId;
    type: 'budget.near';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: {
        appId: string;
        installationId: string;
        partyId: InstallingPartyId;
        partyType: PartyType;
        sequence: EventSequence;
        url: InstallationUrl;
        /**
         * The day, in UTC.
         */
        day: string;
        percent: 80;
        /**
         * How many it sent so far, without those that were over the limit.
         */
        requests: number;
        /**
         * How many it may send in a minute.
         */
        limitPerMinute: number;
        /**
         * The limit times the 1,440 minutes of a day.
         */
        dayBudget: number;
    };
};

/**
 * The password of a credential for a developer token.
 */
export type ClientCredentialsGrant = {
    grant_type: 'client_credentials';
    /**
     * Of a credential, unless `Authorization` has it.
     */
    client_id?: string;
    /**
     * Its password, unless the header has it.
     */
    client_secret?: string;
    /**
     * If given, the base address of this server (RFC 8707).
     */
    resource?: string;
};

/**
 * Never used before, not even by a removed credential. Left out: the server generates one.
 */
export type ClientIdOrGenerated = string;

/**
 * The result of a confirmation.
 */
export type ConfirmedEmailChange = {
    /**
     * The new address.
     */
    email: string;
    /**
     * False until the other address has confirmed the change, too.
     */
    changed: boolean;
};

/**
 * A Buyer that sees the products of a Seller.
 */
export type Connection = {
    /**
     * A party of type Buyer.
     */
    buyerId: number;
    /**
     * A party of type Seller.
     */
    sellerId: number;
};

/**
 * A Buyer and the Seller whose products it is to see.
 */
export type ConnectionRequest = {
    /**
     * A party of type Buyer.
     */
    buyerId: number;
    /**
     * A party of type Seller.
     */
    sellerId: number;
};

/**
 * A new credential with its generated password, which is shown only once.
 */
export type CreatedCredential = Credential & {
    password: PasswordShownOnce;
};

/**
 * A new developer with its first credential, whose generated password is shown only once.
 */
export type CreatedDeveloper = {
    /**
     * Id of the developer.
     */
    id: string;
    name: string;
    clientId: string;
    password: PasswordShownOnce;
    /**
     * The party in which it tries its apps.
     */
    sandboxPartyId: number;
};

/**
 * A new install link, with its address.
 */
export type CreatedInstallLink = InstallLink & {
    /**
     * What to hand over. It is shown this once.
     */
    url: string;
};

/**
 * A new invitation, with its link when the marketplace sends no mail.
 */
export type CreatedInvitation = Invitation & {
    /**
     * Whether the link is mailed, as where there is a mail server. If not, hand over `link`.
     */
    mailed: boolean;
    /**
     * Works once. Only when nothing is mailed, and only in this response.
     */
    link?: string;
};

/**
 * A new user with the generated password, which is shown only once.
 */
export type CreatedUser = UserRecord & {
    password: PasswordShownOnce;
};

/**
 * A client id with which a developer signs in.
 */
export type Credential = {
    /**
     * Id of the credential; names it when it is removed.
     */
    id: string;
    clientId: string;
    createdAt: Timestamp;
    /**
     * When somebody last signed in with it, to the minute, or null.
     */
    lastUsedAt: Timestamp | null;
};

/**
 * A further credential of a developer; the server generates what is left out.
 */
export type CredentialRequest = {
    clientId?: ClientIdOrGenerated;
    password?: PasswordOrGenerated;
};

/**
 * ISO 4217 code of the currency of all amounts of this option.
 */
export type Currency = 'AED' | 'AFN' | 'ALL' | 'AMD' | 'AOA' | 'ARS' | 'AUD' | 'AWG' | 'AZN' | 'BAM' | 'BBD' | 'BDT' | 'BHD' | 'BIF' | 'BMD' | 'BND' | 'BOB' | 'BOV' | 'BRL' | 'BSD' | 'BTN' | 'BWP' | 'BYN' | 'BZD' | 'CAD' | 'CDF' | 'CHE' | 'CHF' | 'CHW' | 'CLF' | 'CLP' | 'CNY' | 'COP' | 'COU' | 'CRC' | 'CUP' | 'CVE' | 'CZK' | 'DJF' | 'DKK' | 'DOP' | 'DZD' | 'EGP' | 'ERN' | 'ETB' | 'EUR' | 'FJD' | 'FKP' | 'GBP' | 'GEL' | 'GHS' | 'GIP' | 'GMD' | 'GNF' | 'GTQ' | 'GYD' | 'HKD' | 'HNL' | 'HTG' | 'HUF' | 'IDR' | 'ILS' | 'INR' | 'IQD' | 'IRR' | 'ISK' | 'JMD' | 'JOD' | 'JPY' | 'KES' | 'KGS' | 'KHR' | 'KMF' | 'KPW' | 'KRW' | 'KWD' | 'KYD' | 'KZT' | 'LAK' | 'LBP' | 'LKR' | 'LRD' | 'LSL' | 'LYD' | 'MAD' | 'MDL' | 'MGA' | 'MKD' | 'MMK' | 'MNT' | 'MOP' | 'MRU' | 'MUR' | 'MVR' | 'MWK' | 'MXN' | 'MXV' | 'MYR' | 'MZN' | 'NAD' | 'NGN' | 'NIO' | 'NOK' | 'NPR' | 'NZD' | 'OMR' | 'PAB' | 'PEN' | 'PGK' | 'PHP' | 'PKR' | 'PLN' | 'PYG' | 'QAR' | 'RON' | 'RSD' | 'RUB' | 'RWF' | 'SAR' | 'SBD' | 'SCR' | 'SDG' | 'SEK' | 'SGD' | 'SHP' | 'SLE' | 'SOS' | 'SRD' | 'SSP' | 'STN' | 'SVC' | 'SYP' | 'SZL' | 'THB' | 'TJS' | 'TMT' | 'TND' | 'TOP' | 'TRY' | 'TTD' | 'TWD' | 'TZS' | 'UAH' | 'UGX' | 'USD' | 'USN' | 'UYI' | 'UYU' | 'UYW' | 'UZS' | 'VED' | 'VES' | 'VND' | 'VUV' | 'WST' | 'XAF' | 'XCD' | 'XCG' | 'XOF' | 'XPF' | 'YER' | 'ZAR' | 'ZMW' | 'ZWG';

/**
 * One change between two definitions of an app.
 */
export type DefinitionChange = {
    /**
     * What happened.
     */
    kind: 'version_changed' | 'listing_changed' | 'release_notes_changed' | 'auth_return_url_changed' | 'redirect_changed' | 'party_type_added' | 'party_type_removed' | 'permission_added' | 'permission_removed' | 'permission_purpose_changed' | 'option_added' | 'option_removed' | 'option_model_changed' | 'option_currency_changed' | 'option_price_changed' | 'option_presentation_changed' | 'setting_added' | 'mandatory_setting_added' | 'setting_removed' | 'setting_retyped' | 'setting_scope_changed' | 'setting_made_mandatory' | 'setting_made_optional' | 'setting_narrowed' | 'setting_widened' | 'setting_presentation_changed' | 'select_option_added' | 'select_option_removed' | 'select_option_retyped' | 'select_option_renamed' | 'select_options_reordered' | 'acknowledgement_added' | 'acknowledgement_changed' | 'acknowledgement_removed' | 'acknowledgement_reordered' | 'terms_document_added' | 'terms_document_changed' | 'terms_document_removed';
    /**
     * Where: a JSON pointer into the definition, except that members of lists are named by their id or value instead of their index.
     */
    pointer: string;
    /**
     * Whether it needs another version string.
     */
    breaking: boolean;
    /**
     * The change in words.
     */
    detail: string;
};

/**
 * What a definition would change.
 */
export type DefinitionChanges = {
    changes: Array<DefinitionChange>;
    /**
     * Whether any of them needs a new version.
     */
    breaking: boolean;
};

export type DefinitionRecord = {
    id: string;
    name: string;
    description: string;
    partyTypes: Array<OfferedPartyType>;
    /**
     * The latest version, which new installations get.
     */
    version: string;
    /**
     * What is new in it: Markdown; may be empty.
     */
    releaseNotes: string;
    permissions: Array<AppPermission>;
    purchaseOptions: Array<AppPurchaseOption>;
    /**
     * The settings configuration: purchase option id -> setting key -> definition.
     */
    settings: {
        [key: string]: {
            [key: string]: AppSetting;
        };
    };
    acknowledgements: Array<{
        id: string;
        title: string;
        text: string;
        /**
         * Place in the display; left out where the definition has none.
         */
        order?: number;
    }>;
    websiteUrl: string | null;
    supportUrl: string | null;
    authReturnUrl: string | null;
    /**
     * What the redirect passes to the app.
     */
    tokenDelivery: 'token' | 'code';
    /**
     * Where a user ends after a refusal without a code.
     */
    redirectErrors: 'page' | 'return';
};

/**
 * What changes about a developer.
 */
export type DeveloperChange = {
    /**
     * 1 to 200 characters, without surrounding space and invisible characters but for the joiners that a script or an emoji needs. It is kept in NFC.
     */
    name: string;
};

/**
 * A client id and its password.
 */
export type DeveloperCredentials = {
    /**
     * Client id of the credential.
     */
    clientId: string;
    /**
     * Password of the credential, at most 1,024 bytes.
     */
    password: string;
};

/**
 * An open invitation to work for a developer.
 */
export type DeveloperInvitation = {
    /**
     * Id of the invitation.
     */
    id: string;
    email: string;
    name: string;
    role: DeveloperRole;
    invitedBy: InvitedBy;
    createdAt: Timestamp;
    /**
     * Until when it can be accepted.
     */
    expiresAt: Timestamp;
    /**
     * When its mail was refused or given up, or null. Then nobody has the link.
     */
    mailRefusedAt: Timestamp | null;
};

/**
 * A person to be invited to a developer.
 */
export type DeveloperInvitationRequest = {
    email: UserEmail;
    name: UserName;
    role?: DeveloperRole;
};

/**
 * A person who works for a developer.
 */
export type DeveloperMember = {
    userId: string;
    name: string;
    email: string;
    role: DeveloperRole;
    /**
     * Whether the operator keeps the person from signing in.
     */
    suspended: boolean;
    /**
     * Since when the person works for the developer.
     */
    joinedAt: Timestamp;
};

/**
 * The role that a person is to have.
 */
export type DeveloperMemberChange = {
    role: DeveloperRole;
};

/**
 * A user who is to work for a developer.
 */
export type DeveloperMemberRequest = {
    /**
     * Id of the user.
     */
    userId: string;
    role: DeveloperRole;
};

/**
 * A developer as operators see it.
 */
export type DeveloperRecord = {
    /**
     * Id of the developer.
     */
    id: string;
    name: string;
    sandboxPartyId: number;
    suspended: boolean;
    /**
     * Since when, or null.
     */
    suspendedAt: Timestamp | null;
    /**
     * Why, or null.
     */
    suspendedReason: string | null;
    /**
     * When it was closed for good, or null.
     */
    closedAt: Timestamp | null;
    /**
     * The live ones, at most two, oldest first.
     */
    credentials: Array<Credential>;
    createdAt: Timestamp;
};

/**
 * A developer to be created.
 */
export type DeveloperRequest = {
    /**
     * 1 to 200 characters, without surrounding space and invisible characters but for the joiners that a script or an emoji needs. It is kept in NFC.
     */
    name: string;
    clientId?: ClientIdOrGenerated;
    password?: PasswordOrGenerated;
};

/**
 * A `member` works with the apps and installations of the developer. An `owner` also manages its people and credentials.
 */
export type DeveloperRole = 'member' | 'owner';

/**
 * Sorts the display: ascending whole numbers, starting at 1 (to 1,000,000). Entries without it come after those that have one; entries alike stand in the order in which they are written.
 */
export type DisplayOrder = number;

/**
 * The token of a link.
 */
export type EmailChangeConfirmation = {
    /**
     * The `token` of the link.
     */
    token: string;
};

/**
 * The new address and the user's password.
 */
export type EmailChangeRequest = {
    /**
     * The address to sign in with from then on.
     */
    email: UserEmail;
    /**
     * The password of the user, at most 1,024 bytes.
     */
    password: string;
};

/**
 * It does not reveal anything about the new address.
 */
export type EmailChangeRequested = {
    [key: string]: unknown;
};

/**
 * The record of the webhook endpoint.
 */
export type EndpointUrl = string;

/**
 * Stable name of an error, to be used by programs.
 */
export type ErrorCode = 'invalid_request' | 'invalid_cursor' | 'missing_token' | 'invalid_token' | 'token_expired' | 'invalid_credentials' | 'second_factor_required' | 'wrong_token_kind' | 'operator_required' | 'admin_required' | 'owner_required' | 'invited_user_required' | 'insufficient_scope' | 'seller_required' | 'installation_not_accessible' | 'installation_suspended' | 'password_login_off' | 'sign_in_refused' | 'invalid_csrf_token' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'conflict' | 'already_exists' | 'email_not_proved' | 'operator_needed' | 'version_required' | 'version_used' | 'already_installed' | 'acknowledgement_changed' | 'app_in_use' | 'import_running' | 'invalid_link' | 'cursor_expired' | 'precondition_failed' | 'payload_too_large' | 'unsupported_media_type' | 'unprocessable' | 'import_refused' | 'too_many_requests' | 'headers_too_large' | 'internal_error' | 'unavailable';

/**
 * Something that happened to one of your apps.
 */
export type Event = InstallationCreatedEvent | InstallationUpgradedEvent | InstallationOptionChangedEvent | InstallationSettingsChangedEvent | InstallationSuspendedEvent | InstallationResumedEvent | InstallationDeletedEvent | BudgetNearEvent | AppListedEvent | AppUnlistedEvent | AppSuspendedEvent | AppResumedEvent | WebhookFailingEvent | WebhookDisabledEvent | SecretReportedEvent | WebhookTestEvent;

/**
 * A named position in the event log, kept for its reader.
 */
export type EventConsumer = {
    name: string;
    /**
     * The last event that it is done with; 0: none.
     */
    position: number;
    /**
     * How many events of the log come after it.
     */
    behind: number;
    /**
     * When it was moved last.
     */
    updatedAt: Timestamp;
};

/**
 * How far a consumer has read.
 */
export type EventConsumerPosition = {
    /**
     * The last event that the consumer is done with; 0: none.
     */
    position: number;
};

/**
 * The same in every delivery and attempt.
 */
export type EventId = string;

/**
 * Its place in your log: 1, 2, 3, ... without gaps.
 */
export type EventPosition = number;

/**
 * Counts the events of this installation: 1, 2, 3, ... without gaps.
 */
export type EventSequence = number;

/**
 * When it happened.
 */
export type EventTimestamp = string;

/**
 * A type of event with its JSON Schema and an example.
 */
export type EventType = {
    type: EventTypeName;
    /**
     * When it happens.
     */
    description: string;
    /**
     * JSON Schema (2020-12) of the whole event.
     */
    schema: {
        [key: string]: unknown;
    };
    example: Event;
};

/**
 * Type of an event.
 */
export type EventTypeName = 'installation.created' | 'installation.upgraded' | 'installation.option_changed' | 'installation.settings_changed' | 'installation.suspended' | 'installation.resumed' | 'installation.deleted' | 'budget.near' | 'app.listed' | 'app.unlisted' | 'app.suspended' | 'app.resumed' | 'webhook.failing' | 'webhook.disabled' | 'secret.reported' | 'webhook.test';

/**
 * A code of the second factor.
 */
export type FactorCode = {
    /**
     * Six digits of the authenticator app, or a recovery code.
     */
    otp: string;
};

/**
 * The own password, given again.
 */
export type FactorPassword = {
    /**
     * Your password, at most 1,024 bytes.
     */
    password: string;
};

/**
 * A problem of one value of the input.
 */
export type FieldError = {
    /**
     * JSON pointer (RFC 6901) to the value; of a product, into its record.
     */
    pointer: string;
    detail: string;
};

/**
 * Whether the server is well.
 */
export type Health = {
    status: 'ok';
};

/**
 * An import: its progress, and how it ended.
 */
export type ImportRecord = {
    importId: string;
    /**
     * `refused`: the file has problems; `failed`: the upload broke off, or the server or its database went away. Both left nothing behind.
     */
    status: 'running' | 'completed' | 'refused' | 'failed';
    /**
     * Bytes read so far, decompressed.
     */
    bytesRead: number;
    /**
     * Records in the file, bad ones included.
     */
    rowsRead: number;
    rowsCreated: number;
    rowsUpdated: number;
    /**
     * Records of products that were so already; counted at the end.
     */
    rowsUnchanged: number;
    /**
     * Records with problems.
     */
    rowsRefused: number;
    /**
     * All problems; a record can have several.
     */
    errorCount: number;
    /**
     * The first 100 problems. Where a file could not be read on, the last one says why.
     */
    errors: Array<LineError>;
    /**
     * The first 100 things that look wrong and were taken.
     */
    warnings?: Array<LineError>;
    /**
     * Why it left nothing behind; null while it runs and when it is completed.
     */
    problem: {
        /**
         * As in the error that the import was answered with.
         */
        code: ErrorCode;
        detail: string;
    } | null;
    startedAt: Timestamp;
    /**
     * While it runs, raised about every second.
     */
    updatedAt: Timestamp;
    /**
     * Null while it runs.
     */
    finishedAt: Timestamp | null;
};

/**
 * What an import did.
 */
export type ImportResult = {
    importId: string;
    status: 'completed';
    /**
     * Records in the file, bad ones included.
     */
    rowsRead: number;
    rowsCreated: number;
    rowsUpdated: number;
    /**
     * Records of products that were so already; counted at the end.
     */
    rowsUnchanged: number;
    /**
     * Records with problems.
     */
    rowsRefused: number;
    /**
     * All problems; a record can have several.
     */
    errorCount: number;
    /**
     * The first 100 problems. Where a file could not be read on, the last one says why.
     */
    errors: Array<LineError>;
    /**
     * The first 100 things that look wrong and were taken.
     */
    warnings?: Array<LineError>;
};

/**
 * A link with which accounts find a private app.
 */
export type InstallLink = {
    id: string;
    /**
     * How many accounts may use it, or null.
     */
    uses: number | null;
    /**
     * How many accounts have used it.
     */
    used: number;
    /**
     * The only account that may use it, or null.
     */
    partyId: number | null;
    expiresAt: Timestamp | null;
    createdAt: Timestamp;
};

export type InstallLinkRequest = {
    /**
     * How many accounts may use it; any number unless given.
     */
    uses?: number;
    /**
     * When it ends; never unless given.
     */
    expiresAt?: string;
    /**
     * The only account that may use it; any account unless given.
     */
    partyId?: number;
};

export type InstallLinkUse = {
    /**
     * The address of the link, or its token.
     */
    link: string;
    /**
     * The account that is to find the app.
     */
    partyId: number;
};

/**
 * An app that a member wants an admin to install.
 */
export type InstallRequest = {
    /**
     * Id of the request.
     */
    id: string;
    /**
     * The account that the app is for.
     */
    partyId: number;
    /**
     * Who asks.
     */
    userId: string;
    /**
     * The name of the user who asks.
     */
    userName: string;
    appId: string;
    /**
     * The version that was looked at: only this one can be accepted.
     */
    version: string;
    purchaseOptionId: string;
    /**
     * What it would cost now, with the products that the account has now.
     */
    quote: Quote;
    /**
     * What the app asks to be allowed.
     */
    permissions: Array<AppPermission>;
    /**
     * The settings, without passwords.
     */
    userSettings: {
        [key: string]: string | number;
    };
    /**
     * Keys of passwords that were given.
     */
    passwordsSet: Array<string>;
    /**
     * The acknowledgements that were accepted. The app has each text beside its hash.
     */
    acknowledgements: Array<{
        id: string;
        sha256: string;
    }>;
    /**
     * The terms document that was accepted, if there is one.
     */
    termsDocument: {
        sha256: string;
    } | null;
    /**
     * What the admins should know.
     */
    note: string | null;
    status: InstallRequestStatus;
    /**
     * Why it was declined.
     */
    reason: string | null;
    /**
     * What was installed when it was accepted.
     */
    installationId: string | null;
    createdAt: Timestamp;
    /**
     * When it was accepted, declined or withdrawn.
     */
    decidedAt: Timestamp | null;
};

/**
 * Why an install request is declined.
 */
export type InstallRequestRefusal = {
    /**
     * Shown to the user who asked: 1 to 500 characters.
     */
    reason: string;
};

/**
 * What has become of the request.
 */
export type InstallRequestStatus = 'pending' | 'accepted' | 'declined' | 'withdrawn';

/**
 * An installation as its app's developer sees it, and the app itself.
 */
export type Installation = {
    /**
     * Unique id; used as `installationId` when a token is asked for.
     */
    id: string;
    /**
     * Id of the app.
     */
    appId: string;
    /**
     * Name of the app.
     */
    appName: string;
    /**
     * Type of the installing party.
     */
    partyType: PartyType;
    /**
     * Id of the installing party.
     */
    partyId: number;
    /**
     * Name of the installing party.
     */
    partyName: string;
    /**
     * When the app was installed.
     */
    installDate: Timestamp;
    /**
     * The purchase option that was chosen.
     */
    purchaseOptionId: string;
    /**
     * Version of the app, copied at install time.
     */
    installedVersion: string;
    /**
     * Values set by the user: setting key to string or number.
     */
    userSettings: {
        [key: string]: string | number;
    };
    /**
     * Values set by the app's developer: setting key to string.
     */
    adminSettings: {
        [key: string]: string;
    };
    status: InstallationStatus;
    /**
     * Why it is suspended, or was when it was uninstalled; else null.
     */
    suspendedReason: string | null;
    /**
     * Permissions, copied at install time and fixed.
     */
    permissions: Array<string>;
    /**
     * When the record last changed.
     */
    updatedAt: Timestamp;
};

/**
 * An account installed the app.
 */
export type InstallationCreatedEvent = {
    id: EventId;
    type: 'installation.created';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: {
        appId: string;
        installationId: string;
        partyId: InstallingPartyId;
        partyType: PartyType;
        sequence: EventSequence;
        url: InstallationUrl;
        version: string;
        purchaseOptionId: string;
    };
};

/**
 * An installation was uninstalled. Remove what you keep for it: this is its last event.
 */
export type InstallationDeletedEvent = {
    id: EventId;
    type: 'installation.deleted';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: {
        appId: string;
        installationId: string;
        partyId: InstallingPartyId;
        partyType: PartyType;
        sequence: EventSequence;
        url: InstallationUrl;
        uninstalledAt: string;
    };
};

/**
 * An account changed the purchase option of its installation.
 */
export type InstallationOptionChangedEvent = {
    id: EventId;
    type: 'installation.option_changed';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: {
        appId: string;
        installationId: string;
        partyId: InstallingPartyId;
        partyType: PartyType;
        sequence: EventSequence;
        url: InstallationUrl;
        purchaseOptionId: string;
        previousPurchaseOptionId: string;
        /**
         * Keys of the settings that were set, changed or removed; never their values.
         */
        keys: Array<string>;
    };
};

/**
 * An app to be installed, with its settings and what is accepted.
 */
export type InstallationRequest = {
    /**
     * Id of an app of the catalogue.
     */
    appId: string;
    /**
     * The account to install for; may be left out by a user of one account.
     */
    partyId?: number;
    /**
     * The version that was looked at: `conflict` when it is not the latest. Default: the latest.
     */
    version?: string;
    /**
     * The chosen purchase option.
     */
    purchaseOptionId: string;
    /**
     * Values of the settings of that option: setting key -> value.
     */
    userSettings?: {
        [key: string]: unknown;
    };
    acknowledgements?: AcceptedAcknowledgements;
    termsDocument?: AcceptedTerms | null;
};

/**
 * A suspended installation works again.
 */
export type InstallationResumedEvent = {
    id: EventId;
    type: 'installation.resumed';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: {
        appId: string;
        installationId: string;
        partyId: InstallingPartyId;
        partyType: PartyType;
        sequence: EventSequence;
        url: InstallationUrl;
        /**
         * Who did it.
         */
        by: 'developer' | 'operator';
    };
};

/**
 * Settings of an installation changed, by the account or by the developer.
 */
export type InstallationSettingsChangedEvent = {
    id: EventId;
    type: 'installation.settings_changed';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: {
        appId: string;
        installationId: string;
        partyId: InstallingPartyId;
        partyType: PartyType;
        sequence: EventSequence;
        url: InstallationUrl;
        scope: 'user' | 'admin';
        /**
         * Keys of the settings that were set, changed or removed; never their values.
         */
        keys: Array<string>;
    };
};

/**
 * `uninstalled` is final.
 */
export type InstallationStatus = 'active' | 'suspended' | 'uninstalled';

/**
 * An installation was suspended: its tokens are refused.
 */
export type InstallationSuspendedEvent = {
    id: EventId;
    type: 'installation.suspended';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: {
        appId: string;
        installationId: string;
        partyId: InstallingPartyId;
        partyType: PartyType;
        sequence: EventSequence;
        url: InstallationUrl;
        /**
         * Who did it.
         */
        by: 'developer' | 'operator';
    };
};

/**
 * Why an installation is suspended.
 */
export type InstallationSuspension = {
    /**
     * Shown to the account.
     */
    reason: string;
};

/**
 * An installation, and the bounds of the token for it.
 */
export type InstallationTokenRequest = {
    /**
     * Id of an installation of one of your apps.
     */
    installationId: string;
    /**
     * Narrows what the token may do. Default: all that the installation was granted.
     */
    permissions?: Array<string>;
    /**
     * Lifetime in seconds.
     */
    expiresIn?: number;
};

/**
 * An account upgraded its installation to another version of the app.
 */
export type InstallationUpgradedEvent = {
    id: EventId;
    type: 'installation.upgraded';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: {
        appId: string;
        installationId: string;
        partyId: InstallingPartyId;
        partyType: PartyType;
        sequence: EventSequence;
        url: InstallationUrl;
        version: string;
        previousVersion: string;
        purchaseOptionId: string;
        /**
         * Keys of the settings that were set, changed or removed; never their values.
         */
        keys: Array<string>;
    };
};

/**
 * The record of the installation.
 */
export type InstallationUrl = string;

/**
 * How an installation uses its permissions and its limit of requests.
 */
export type InstallationUsage = {
    from: string;
    to: string;
    /**
     * How many requests it may send in a minute; null without a limit.
     */
    limitPerMinute: number | null;
    /**
     * The oldest first. A day without requests for a permission is left out.
     */
    days: Array<UsageOfDay>;
    /**
     * Each permission of the installation.
     */
    permissions: Array<UsageOfPermission>;
};

/**
 * The account that has the app installed.
 */
export type InstallingPartyId = number;

export type Introspection = {
    /**
     * Whether the token would be accepted now.
     */
    active: boolean;
    token_type?: 'Bearer';
    iss?: string;
    /**
     * The installation.
     */
    sub?: string;
    aud?: string;
    client_id?: string;
    /**
     * Permissions, separated by spaces.
     */
    scope?: string;
    iat?: number;
    exp?: number;
    jti?: string;
    app_id?: string;
    party_id?: number;
    party_type?: PartyType;
    /**
     * The person, when the token came from the redirect.
     */
    user_id?: string;
};

export type IntrospectionRequest = {
    /**
     * The token.
     */
    token: string;
};

/**
 * An invitation that nobody has accepted yet.
 */
export type Invitation = {
    /**
     * Id of the invitation.
     */
    id: string;
    email: string;
    name: string;
    /**
     * The accounts that the person is invited to.
     */
    partyIds: Array<number>;
    /**
     * The developer that the person is invited to, or null.
     */
    developerId: string | null;
    /**
     * The role in these, or null when there are none.
     */
    role: 'member' | 'admin' | 'owner' | null;
    operator: boolean;
    support: boolean;
    createdAt: Timestamp;
    /**
     * Until when it can be accepted.
     */
    expiresAt: Timestamp;
    /**
     * When its mail was refused or given up, or null. Then nobody has the link.
     */
    mailRefusedAt: Timestamp | null;
};

/**
 * The token of an invitation, and a password.
 */
export type InvitationAcceptance = {
    /**
     * The `token` of the link.
     */
    token: string;
    /**
     * Of a new user, and of one whose address nobody has proved. Otherwise ignored, also where users sign in by single sign-on only.
     */
    password?: string;
};

/**
 * A person to be invited, and what the person is invited to.
 */
export type InvitationRequest = {
    email: UserEmail;
    name: UserName;
    /**
     * The accounts that the person will belong to.
     */
    partyIds?: Array<number>;
    /**
     * In the accounts and the developer. `admin` is of accounts, `owner` of a developer. Left out: admin and owner.
     */
    role?: 'member' | 'admin' | 'owner';
    /**
     * The developer that the person will work for.
     */
    developerId?: string;
    /**
     * Whether the person will be an operator.
     */
    operator?: boolean;
    /**
     * Whether the person will be support staff.
     */
    support?: boolean;
};

/**
 * Who has invited.
 */
export type InvitedBy = {
    /**
     * A person, a credential of the developer, or the operator of the marketplace.
     */
    kind: 'user' | 'developer' | 'operator';
    /**
     * Name of the person, or client id of the credential; null for the operator.
     */
    name: string | null;
};

/**
 * A token that acts for one installation.
 */
export type IssuedInstallationToken = IssuedToken & {
    /**
     * The installation that the token acts for.
     */
    installationId: string;
    /**
     * What the token may do.
     */
    permissions: Array<string>;
};

/**
 * A bearer token.
 */
export type IssuedToken = {
    /**
     * The bearer token. Treat it as opaque; it has at most 2,048 characters.
     */
    token: string;
    tokenType: 'Bearer';
    /**
     * Seconds until the token runs out.
     */
    expiresIn: number;
    /**
     * When the token runs out.
     */
    expiresAt: string;
};

export type Jwks = {
    keys: Array<{
        kid: string;
        kty: 'EC';
        crv: 'P-256';
        x: string;
        y: string;
        alg: 'ES256';
        use: 'sig';
        [key: string]: unknown;
    }>;
};

/**
 * A problem of one line of a file.
 */
export type LineError = FieldError & {
    /**
     * Line of the file, from 1; of a record of several lines the last.
     */
    line: number;
};

/**
 * A product with its id and the `fields` that were asked for; without, with all.
 */
export type ListedProduct = {
    /**
     * The server's id of the product.
     */
    id: number;
    brand?: string;
    partNumber?: string;
    /**
     * Units in stock.
     */
    inStock?: number;
    shortDescription?: string | null;
    /**
     * Manufacturer's suggested retail price.
     */
    msrp?: number | null;
    /**
     * Minimum advertised price.
     */
    mapPrice?: number | null;
    /**
     * Universal Product Code; text, for its leading zeros.
     */
    upc?: string | null;
};

/**
 * The role that a member of a party is to have.
 */
export type MemberChange = {
    role: PartyRole;
};

/**
 * A user who belongs to a party.
 */
export type Membership = {
    userId: string;
    partyId: number;
    role: PartyRole;
};

/**
 * A user and the party that it is to belong to.
 */
export type MembershipRequest = {
    userId: string;
    partyId: number;
    role?: PartyRole;
};

/**
 * An app that a member asks for, with its settings and what is accepted.
 */
export type NewInstallRequest = {
    /**
     * Id of an app of the catalogue.
     */
    appId: string;
    /**
     * The version that was looked at: `conflict` when it is not the latest. Default: the latest.
     */
    version?: string;
    /**
     * The chosen purchase option.
     */
    purchaseOptionId: string;
    /**
     * Values of the settings of that option: setting key -> value.
     */
    userSettings?: {
        [key: string]: unknown;
    };
    acknowledgements?: AcceptedAcknowledgements;
    termsDocument?: AcceptedTerms | null;
    /**
     * What the admins should know: at most 500 characters.
     */
    note?: string;
};

/**
 * The new password of a user; a generated one is shown only once.
 */
export type NewPassword = {
    /**
     * Id of the user.
     */
    id: string;
    email: string;
    password: PasswordShownOnce;
};

/**
 * Something that a user is told of.
 */
export type Notification = {
    id: number;
    /**
     * What happened. Later releases may add others.
     */
    kind: 'request_waiting' | 'update_available' | 'installation_suspended' | 'installation_resumed' | 'member_joined' | 'import_problems' | 'request_accepted' | 'request_declined' | 'app_installed' | 'app_uninstalled' | 'endpoint_failing' | 'endpoint_disabled' | 'app_suspended' | 'app_resumed' | 'app_listed' | 'app_unlisted' | 'secret_reported' | 'record_suspended' | 'record_resumed';
    /**
     * The notification in English, with names as of now.
     */
    text: string;
    /**
     * The page of what it is about; null when you may not see that any more.
     */
    url: string | null;
    /**
     * The account that it is about.
     */
    partyId: number | null;
    /**
     * The developer that it is about.
     */
    developerId: string | null;
    /**
     * The app that it is about.
     */
    appId: string | null;
    createdAt: Timestamp;
    /**
     * Null while it is unread.
     */
    readAt: Timestamp | null;
};

/**
 * Either `ids` or `upTo`.
 */
export type NotificationsRead = {
    /**
     * These.
     */
    ids?: Array<number>;
    /**
     * This one and all that are older.
     */
    upTo?: number;
};

export type OAuthFailure = {
    /**
     * Name of the error (RFC 6749, 5.2).
     */
    error: string;
    /**
     * What is wrong with this request.
     */
    error_description: string;
};

/**
 * A type of account that apps can be offered to.
 */
export type OfferedPartyType = 'Buyer' | 'Seller';

/**
 * An app as operators see it, without its definition.
 */
export type OperatorApp = {
    id: string;
    name: string;
    /**
     * Why the name may be taken for another one, such as letters of several scripts, or null.
     */
    nameWarning: string | null;
    tagline: string;
    icon: AppIcon | null;
    developerId: string;
    developerName: string;
    partyTypes: Array<OfferedPartyType>;
    /**
     * The latest version.
     */
    version: string | null;
    /**
     * Whether it is in the public catalogue.
     */
    listed: boolean;
    visibility: Visibility;
    /**
     * How many live ones there are. 10001 means that or more; in a list, which counts less far, 1001 does.
     */
    installations: number;
    suspended: boolean;
    suspendedAt: Timestamp | null;
    suspendedReason: string | null;
    webhooks: WebhooksState;
    createdAt: Timestamp;
    updatedAt: Timestamp;
};

/**
 * An entry of the audit trail as operators see it.
 */
export type OperatorAuditRecord = OwnAuditRecord & {
    /**
     * The developer for whom a user did it in the developer console, or null.
     */
    actorDeveloperId: string | null;
    /**
     * The developer that may read the entry.
     */
    developerId: string | null;
    /**
     * The party that may read the entry.
     */
    partyId: number | null;
};

/**
 * An installation as operators see it, without its settings.
 */
export type OperatorInstallation = {
    /**
     * Unique id; used as `installationId` when a token is asked for.
     */
    id: string;
    /**
     * Id of the app.
     */
    appId: string;
    /**
     * Name of the app.
     */
    appName: string;
    /**
     * Type of the installing party.
     */
    partyType: PartyType;
    /**
     * Id of the installing party.
     */
    partyId: number;
    /**
     * Name of the installing party.
     */
    partyName: string;
    /**
     * When the app was installed.
     */
    installDate: Timestamp;
    /**
     * The purchase option that was chosen.
     */
    purchaseOptionId: string;
    /**
     * Version of the app, copied at install time.
     */
    installedVersion: string;
    status: InstallationStatus;
    /**
     * Why, or null.
     */
    suspendedReason: string | null;
    /**
     * Permissions, copied at install time and fixed.
     */
    permissions: Array<string>;
    /**
     * When the record last changed.
     */
    updatedAt: Timestamp;
    /**
     * Whose app it is.
     */
    developerId: string;
    developerName: string;
    /**
     * Since when, or null.
     */
    suspendedAt: Timestamp | null;
    /**
     * What the operator suspended, only the operator resumes.
     */
    suspendedBy: 'developer' | 'operator' | null;
    /**
     * When it ended, or null.
     */
    uninstalledAt: Timestamp | null;
    /**
     * Whether it was uninstalled under an operator’s suspension, so that its account cannot install the app again until an operator resumes this installation.
     */
    reinstallBarred: boolean;
};

/**
 * What a change of the purchase option would do.
 */
export type OptionChange = {
    from: string;
    to: string;
    settings: SettingsTransition;
    price: {
        before: Quote;
        after: Quote;
    };
};

/**
 * The new purchase option, with the settings that it needs.
 */
export type OptionRequest = {
    /**
     * The purchase option to change to.
     */
    purchaseOptionId: string;
    /**
     * Values on top of those that stay: setting key -> value.
     */
    userSettings?: {
        [key: string]: unknown;
    };
};

/**
 * An acknowledgement, terms or a permission that the user accepted.
 */
export type OwnAcceptance = {
    installationId: string;
    kind: 'acknowledgement' | 'terms' | 'permission';
    /**
     * Id of the acknowledgement or the permission.
     */
    subjectId: string | null;
    sha256: string;
    /**
     * Version of the app.
     */
    version: string;
    address: string | null;
    acceptedAt: Timestamp;
};

/**
 * An entry of the audit trail by the user or about the user.
 */
export type OwnAuditRecord = AuditRecord & {
    /**
     * Network address that the request came from.
     */
    address: string | null;
};

/**
 * Everything that is kept about one person.
 */
export type OwnData = {
    id: string;
    email: string;
    name: string;
    operator: boolean;
    support: boolean;
    createdAt: Timestamp;
    memberships: Array<{
        role: PartyRole;
        createdAt: Timestamp;
        party: {
            id: number;
            name: string;
        };
    }>;
    developers: Array<{
        role: DeveloperRole;
        createdAt: Timestamp;
        developer: {
            id: string;
            name: string;
        };
    }>;
    sessions: Array<{
        createdAt: Timestamp;
        lastSeenAt: Timestamp;
        expiresAt: Timestamp;
        /**
         * Empty when it is not known.
         */
        browser: string;
        /**
         * First part of the address. Empty when it is not known.
         */
        network: string;
        /**
         * When the second factor was given last.
         */
        factorAt: Timestamp | null;
    }>;
    /**
     * Who the user is at the provider of single sign-on.
     */
    identities: Array<{
        issuer: string;
        subject: string;
        createdAt: Timestamp;
    }>;
    /**
     * Whether the address is known to be yours.
     */
    emailProved: boolean;
    /**
     * Kind of notification -> whether you chose to get it by mail.
     */
    notificationMails: {
        [key: string]: boolean;
    };
    /**
     * Lists of pages with filters that you gave a name.
     */
    savedViews: Array<{
        id: string;
        path: string;
        query: string;
        name: string;
    }>;
    suspendedAt: Timestamp | null;
    suspendedReason: string | null;
    /**
     * Null when it is off.
     */
    secondFactor: {
        enabledAt: Timestamp;
        recoveryCodesLeft: number;
    } | null;
    acceptances: Array<OwnAcceptance>;
    installRequests: Array<OwnInstallRequest>;
    /**
     * Of the last weeks, and open invitations to your address if it is proved.
     */
    links: Array<OwnLink>;
    /**
     * Oldest first.
     */
    notifications: Array<OwnNotification>;
    /**
     * Oldest first. Sign-ins and opened apps are counted by the hour.
     */
    auditTrail: Array<OwnAuditRecord>;
};

export type OwnDeveloper = {
    /**
     * Id of the developer.
     */
    id: string;
    /**
     * Its name.
     */
    name: string;
    /**
     * The client id that the token was asked for with.
     */
    clientId: string;
    /**
     * Id of that credential.
     */
    credentialId: string;
    /**
     * The account with sample products in which it tries its apps.
     */
    sandbox: {
        /**
         * Id of the sandbox, as in its installations.
         */
        partyId: number;
        /**
         * Its name.
         */
        partyName: string;
    };
    /**
     * What the operator and the server allow.
     */
    limits: {
        /**
         * Requests a minute.
         */
        requestsPerMinute: {
            /**
             * With developer tokens. Null: not limited.
             */
            developer: number | null;
            /**
             * With the tokens of one installation. Null: not limited.
             */
            installation: number | null;
        };
        /**
         * Lifetimes of installation tokens.
         */
        installationTokenSeconds: {
            /**
             * Unless `expiresIn` names one.
             */
            usual: number;
            /**
             * Of tokens from the redirect.
             */
            redirect: number;
            /**
             * The longest that `expiresIn` may ask for.
             */
            max: number;
        };
        /**
         * Live credentials at once.
         */
        credentials: number;
    };
    /**
     * When the developer was made.
     */
    createdAt: Timestamp;
};

/**
 * An app that the user asked the admins for.
 */
export type OwnInstallRequest = {
    id: string;
    partyId: number;
    appId: string;
    version: string;
    purchaseOptionId: string;
    /**
     * Without passwords.
     */
    userSettings: {
        [key: string]: unknown;
    };
    passwordKeys: Array<string>;
    consent: {
        acknowledgements: Array<{
            sha256: string;
            id: string;
        }>;
        termsDocument: {
            sha256: string;
        } | null;
    };
    note: string | null;
    status: 'pending' | 'accepted' | 'declined' | 'withdrawn';
    reason: string | null;
    installationId: string | null;
    createdAt: Timestamp;
    decidedAt: Timestamp | null;
};

/**
 * A link for the user; its token is not in it.
 */
export type OwnLink = {
    purpose: 'invitation' | 'password_reset' | 'email_change' | 'sign_in';
    email: string;
    mailed: boolean;
    mailRefusedAt: Timestamp | null;
    createdAt: Timestamp;
    expiresAt: Timestamp;
    usedAt: Timestamp | null;
    endedAt: Timestamp | null;
    /**
     * What its use does.
     */
    grants: {
        [key: string]: unknown;
    };
};

/**
 * Something that the user was told of.
 */
export type OwnNotification = {
    kind: string;
    partyId: number | null;
    developerId: string | null;
    appId: string | null;
    createdAt: Timestamp;
    readAt: Timestamp | null;
};

/**
 * The user's password, to remove the user.
 */
export type OwnRemoval = {
    /**
     * The password of the user, at most 1,024 bytes.
     */
    password: string;
};

/**
 * A browser in which the user is signed in.
 */
export type OwnSession = {
    /**
     * Names the session; nobody can use it to sign in.
     */
    id: string;
    /**
     * When the user signed in.
     */
    begunAt: Timestamp;
    /**
     * When it was last used, to the minute.
     */
    lastUsedAt: Timestamp;
    /**
     * Browser and system, as the browser calls itself. Empty when it is not known.
     */
    browser: string;
    /**
     * First part of the address of the sign-in. Empty when it is not known.
     */
    network: string;
};

/**
 * The user of the token, and the accounts that it acts for.
 */
export type OwnUser = {
    id: string;
    name: string;
    email: string;
    /**
     * Whether the user may use the operator endpoints.
     */
    operator: boolean;
    /**
     * Whether the user may read what operators read.
     */
    support: boolean;
    parties: Array<{
        /**
         * The `partyId` of other endpoints.
         */
        id: number;
        name: string;
        type: PartyType;
        suspended: boolean;
        role: PartyRole;
    }>;
};

/**
 * What a user changes about their own record.
 */
export type OwnUserChange = {
    name: UserName;
};

/**
 * What changes about a party.
 */
export type PartyChange = {
    /**
     * 1 to 200 characters, without surrounding space and invisible characters but for the joiners that a script or an emoji needs. It is kept in NFC.
     */
    name: string;
};

/**
 * An open invitation to an account.
 */
export type PartyInvitation = {
    /**
     * Id of the invitation.
     */
    id: string;
    email: string;
    name: string;
    role: PartyRole;
    invitedBy: InvitedBy;
    createdAt: Timestamp;
    /**
     * Until when it can be accepted.
     */
    expiresAt: Timestamp;
    /**
     * When its mail was refused or given up, or null. Then nobody has the link.
     */
    mailRefusedAt: Timestamp | null;
};

/**
 * A person to be invited to an account.
 */
export type PartyInvitationRequest = {
    email: UserEmail;
    name: UserName;
    role?: PartyRole;
};

/**
 * A user who belongs to an account.
 */
export type PartyMember = {
    userId: string;
    name: string;
    email: string;
    role: PartyRole;
    /**
     * Whether the operator keeps the user from signing in.
     */
    suspended: boolean;
    /**
     * Since when the user belongs to the account.
     */
    joinedAt: Timestamp;
};

/**
 * A party as operators see it.
 */
export type PartyRecord = {
    id: number;
    name: string;
    type: PartyType;
    suspended: boolean;
    /**
     * Since when, or null.
     */
    suspendedAt: Timestamp | null;
    /**
     * Why, or null.
     */
    suspendedReason: string | null;
    /**
     * When it was closed for good, or null.
     */
    closedAt: Timestamp | null;
    createdAt: Timestamp;
};

/**
 * A party to be created.
 */
export type PartyRequest = {
    /**
     * 1 to 200 characters, without surrounding space and invisible characters but for the joiners that a script or an emoji needs. It is kept in NFC.
     */
    name: string;
    /**
     * Sandbox parties are made with their developer only.
     */
    type: OfferedPartyType;
};

/**
 * A `member` sees the installed apps and opens them. An `admin` also installs, configures, upgrades and uninstalls them, and manages the members.
 */
export type PartyRole = 'member' | 'admin';

/**
 * Whether a party is suspended, since when and why.
 */
export type PartySuspension = {
    /**
     * Of the party.
     */
    id: number;
    suspended: boolean;
    /**
     * Since when, or null.
     */
    suspendedAt: Timestamp | null;
    /**
     * Why, or null.
     */
    suspendedReason: string | null;
};

/**
 * Type of an account; `None` is a developer's sandbox.
 */
export type PartyType = 'Buyer' | 'Seller' | 'None';

/**
 * 8 characters to 1024 bytes, counted in NFC. None of the 100,000 most common ones, and not the name, email or client id that it is for. Left out: the server generates a random one.
 */
export type PasswordOrGenerated = string;

/**
 * The new password; without one the server generates it.
 */
export type PasswordRequest = {
    password?: PasswordOrGenerated;
};

/**
 * The token of a link, and a new password.
 */
export type PasswordResetCompletion = {
    /**
     * The `token` of the link.
     */
    token: string;
    /**
     * 8 characters to 1024 bytes, counted in NFC. None of the 100,000 most common ones, and not the name or email that it is for.
     */
    password: string;
};

/**
 * The user whose password was changed.
 */
export type PasswordResetDone = {
    /**
     * What the user signs in with.
     */
    email: string;
};

/**
 * A link with which a user sets a new password.
 */
export type PasswordResetLink = {
    /**
     * Whom the link is for.
     */
    email: string;
    /**
     * Until when the link works.
     */
    expiresAt: Timestamp;
    /**
     * Whether the link is mailed, as where there is a mail server. If not, hand over `link`.
     */
    mailed: boolean;
    /**
     * Works once. Only when nothing is mailed, and only in this response.
     */
    link?: string;
};

/**
 * Whose password is lost.
 */
export type PasswordResetRequest = {
    /**
     * The address that the user signs in with.
     */
    email: string;
};

/**
 * It does not reveal anything about the address.
 */
export type PasswordResetRequested = {
    [key: string]: unknown;
};

/**
 * The generated password, shown only now: the database keeps only its hash. Null when you chose it, and for users who sign in by single sign-on only.
 */
export type PasswordShownOnce = string | null;

/**
 * A permission that apps can ask for.
 */
export type Permission = {
    /**
     * `resource:action`; what definitions and tokens name.
     */
    id: string;
    /**
     * Short name, for people.
     */
    title: string;
    /**
     * What it lets an app do.
     */
    description: string;
    /**
     * The endpoints that an installation token with this permission may call.
     */
    readonly opens: Array<string>;
};

/**
 * A permission that the app asks for, and what for.
 */
export type PermissionRequest = {
    /**
     * Id of a permission of the catalogue at `GET /v1/Permissions`.
     */
    id: 'products:read' | 'products:write' | 'profile:read' | 'settings:read';
    /**
     * What the app does with it, in words for the installing user, who sees it before installing (1 to 500 characters).
     */
    purpose: string;
};

/**
 * The picture itself, as a file.
 */
export type PictureFile = Blob | File;

/**
 * How a purchase option is charged.
 */
export type PricingModel = 'FlatMonthly' | 'FlatAnnual' | 'TieredBuckets';

/**
 * An error (RFC 9457).
 */
export type Problem = {
    /**
     * Address of the explanation of this code.
     */
    type: string;
    /**
     * What the code means, the same for every occurrence.
     */
    title: string;
    /**
     * The HTTP status.
     */
    status: number;
    /**
     * What is wrong with this request.
     */
    detail: string;
    code: ErrorCode;
    /**
     * Name of this request in the logs; the same as `x-request-id`.
     */
    requestId: string;
    /**
     * Every problem of the input.
     */
    errors?: Array<FieldError | LineError>;
    [key: string]: unknown;
};

/**
 * A product.
 */
export type Product = {
    /**
     * The server's id of the product.
     */
    id: number;
    brand: string;
    partNumber: string;
    /**
     * Units in stock.
     */
    inStock: number;
    shortDescription: string | null;
    /**
     * Manufacturer's suggested retail price.
     */
    msrp: number | null;
    /**
     * Minimum advertised price.
     */
    mapPrice: number | null;
    /**
     * Universal Product Code; text, for its leading zeros.
     */
    upc: string | null;
};

/**
 * A product that was changed or deleted.
 */
export type ProductChange = {
    /**
     * `upsert`: it was created or changed; `delete`: it is gone.
     */
    type: 'upsert' | 'delete';
    /**
     * Id of the product.
     */
    id: number;
    /**
     * How it is now; only of an `upsert`.
     */
    product?: Product;
};

/**
 * A merge patch (RFC 7396) of a product.
 */
export type ProductPatch = {
    /**
     * Kept in NFC, with plain spaces; without invisible characters, but for the joiners that a script or an emoji needs.
     */
    brand?: string;
    /**
     * With the brand the key of the product among those of its account. Kept as the brand is.
     */
    partNumber?: string;
    /**
     * Units in stock.
     */
    inStock?: number;
    shortDescription?: string | null;
    /**
     * Manufacturer's suggested retail price, at most 2 decimals.
     */
    msrp?: number | null;
    /**
     * Minimum advertised price, at most 2 decimals.
     */
    mapPrice?: number | null;
    /**
     * 8, 12, 13 or 14 digits. A wrong check digit is taken with a warning.
     */
    upc?: string | null;
};

/**
 * A product as clients send it, without its id.
 */
export type ProductRecord = {
    /**
     * Kept in NFC, with plain spaces; without invisible characters, but for the joiners that a script or an emoji needs.
     */
    brand: string;
    /**
     * With the brand the key of the product among those of its account. Kept as the brand is.
     */
    partNumber: string;
    /**
     * Units in stock.
     */
    inStock: number;
    shortDescription?: string | null;
    /**
     * Manufacturer's suggested retail price, at most 2 decimals.
     */
    msrp?: number | null;
    /**
     * Minimum advertised price, at most 2 decimals.
     */
    mapPrice?: number | null;
    /**
     * 8, 12, 13 or 14 digits. A wrong check digit is taken with a warning.
     */
    upc?: string | null;
};

/**
 * Whom an installation token acts for.
 */
export type Profile = {
    partyId: number;
    partyName: string;
    partyType: PartyType;
    installationId: string;
    appId: string;
    /**
     * The person, when the token came from the redirect; otherwise null.
     */
    user: {
        id: string;
        name: string;
        email: string;
    } | null;
};

/**
 * An app as everybody may see it.
 */
export type PublicApp = {
    id: string;
    name: string;
    developerName: string;
    /**
     * A line about the app, of its listing; may be empty.
     */
    tagline: string;
    icon: AppIcon | null;
    screenshots: Array<AppScreenshot>;
    description: string;
    partyTypes: Array<OfferedPartyType>;
    /**
     * The latest version, which new installations get.
     */
    version: string;
    /**
     * What is new in it: Markdown; may be empty.
     */
    releaseNotes: string;
    permissions: Array<AppPermission>;
    purchaseOptions: Array<AppPurchaseOption>;
    /**
     * What the installing user sets: purchase option id -> setting key -> definition.
     */
    settings: {
        [key: string]: {
            [key: string]: AppSetting;
        };
    };
    acknowledgements: Array<AppAcknowledgement>;
    termsDocument: TermsDocument | null;
    websiteUrl: string | null;
    supportUrl: string | null;
    /**
     * Whether it is in the public catalogue.
     */
    listed: boolean;
    createdAt: Timestamp;
    updatedAt: Timestamp;
};

/**
 * One way to buy the app, with one pricing model.
 */
export type PurchaseOption = {
    id: PurchaseOptionId;
    /**
     * Display name (1 to 100 characters).
     */
    name: string;
    /**
     * What the option includes (up to 1000 characters).
     */
    description?: string;
    currency: Currency;
    order?: DisplayOrder;
    /**
     * Flat Price: a fixed fee charged monthly.
     */
    pricingModel: 'FlatMonthly';
    /**
     * The monthly fee; 0 makes the option free. In the option's currency, with at most its decimals (USD 2, JPY 0), 0 to 1,000,000,000.
     */
    monthlyRate: number;
} | {
    id: PurchaseOptionId;
    /**
     * Display name (1 to 100 characters).
     */
    name: string;
    /**
     * What the option includes (up to 1000 characters).
     */
    description?: string;
    currency: Currency;
    order?: DisplayOrder;
    /**
     * Flat Price (Billed annually): 12 times the monthly rate as one lump sum a year.
     */
    pricingModel: 'FlatAnnual';
    /**
     * The monthly rate; 12 times this is charged at once. In the option's currency, with at most its decimals (USD 2, JPY 0), 0 to 1,000,000,000.
     */
    monthlyRate: number;
} | {
    id: PurchaseOptionId;
    /**
     * Display name (1 to 100 characters).
     */
    name: string;
    /**
     * What the option includes (up to 1000 characters).
     */
    description?: string;
    currency: Currency;
    order?: DisplayOrder;
    /**
     * Tiered Pricing with Buckets: monthly cost = ceil(products / bucketSize) x ratePerBucket + baseFee.
     */
    pricingModel: 'TieredBuckets';
    /**
     * How many products one bucket holds, a whole number from 1 to 1,000,000,000.
     */
    bucketSize: number;
    /**
     * The monthly price of each bucket, started ones included. In the option's currency, with at most its decimals (USD 2, JPY 0), 0 to 1,000,000,000.
     */
    ratePerBucket: number;
    /**
     * A monthly fee on top of the buckets. In the option's currency, with at most its decimals (USD 2, JPY 0), 0 to 1,000,000,000.
     */
    baseFee?: number;
};

/**
 * Identifier of the option, unique in the app; used as `purchaseOptionId` and as key of the settings configuration. Letters, digits, ".", "_", "-", at most 64. Meaningful ids are recommended.
 */
export type PurchaseOptionId = string;

/**
 * What a purchase option costs for a number of products, with the arithmetic.
 */
export type Quote = {
    /**
     * The option that is quoted.
     */
    purchaseOptionId: string;
    pricingModel: PricingModel;
    /**
     * ISO 4217 code of the amounts.
     */
    currency: string;
    /**
     * The number of products that the quote is for; null when none was given.
     */
    records: number | null;
    /**
     * ceil(records / bucketSize) of TieredBuckets, otherwise null.
     */
    buckets: number | null;
    /**
     * Cost of a month; of FlatAnnual the monthly rate that the annual charge is made of.
     */
    monthlyCost: number;
    /**
     * 12 x the monthly rate, charged at once, of FlatAnnual, otherwise null.
     */
    annualCharge: number | null;
    /**
     * The arithmetic in words.
     */
    explanation: string;
};

/**
 * Codes that stand in for the authenticator app.
 */
export type RecoveryCodes = {
    /**
     * Ten codes, each for one use. Only this response shows them.
     */
    recoveryCodes: Array<string>;
};

export type Revocation = {
    /**
     * The token.
     */
    token?: string;
    /**
     * Revokes all tokens of this installation.
     */
    installationId?: string;
};

export type Revoked = {
    [key: string]: unknown;
};

export type RevokedOfClient = {
    [key: string]: unknown;
};

/**
 * How an app is installed in the sandbox of its developer.
 */
export type SandboxRequest = {
    /**
     * Default: the first option.
     */
    purchaseOptionId?: string;
    userSettings?: {
        [key: string]: unknown;
    };
} | null;

/**
 * What is left out stays as it is.
 */
export type ScreenshotChange = {
    /**
     * What stands for the picture where it is not seen (1 to 200 characters).
     */
    alt?: string;
    /**
     * Under the picture (up to 200 characters); left out: none.
     */
    caption?: string;
};

/**
 * The ids of all screenshots, the first one first.
 */
export type ScreenshotOrder = Array<string>;

/**
 * The second factor of the user of the token.
 */
export type SecondFactor = {
    /**
     * Whether a code is asked for at the sign-in.
     */
    enabled: boolean;
    /**
     * When it was turned on.
     */
    enabledAt: Timestamp | null;
    /**
     * Recovery codes that were not used yet.
     */
    recoveryCodesLeft: number;
    /**
     * Whether the marketplace asks it of you.
     */
    required: boolean;
};

export type SecretReport = {
    /**
     * The secret, or the whole address that it was found in.
     */
    secret: string;
};

export type SecretReported = {
    [key: string]: unknown;
};

/**
 * A secret of yours was found where it does not belong, and has ended. Replace it where you use it.
 */
export type SecretReportedEvent = {
    id: EventId;
    type: 'secret.reported';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: {
        /**
         * Null for what belongs to no app.
         */
        appId: string | null;
        kind: 'credential' | 'developer_token' | 'installation_token' | 'code' | 'link' | 'install_link' | 'webhook_secret';
        /**
         * The credential, installation, invitation or webhook endpoint that it was for.
         */
        subjectId: string;
    };
};

export type ServerMetadata = {
    /**
     * Name of the server, as in the `iss` of the redirect of an app.
     */
    issuer: string;
    /**
     * The redirect. Of an app only.
     */
    authorization_endpoint?: string;
    token_endpoint: string;
    jwks_uri: string;
    revocation_endpoint: string;
    introspection_endpoint: string;
    service_documentation: string;
    /**
     * The permissions there are.
     */
    scopes_supported: Array<string>;
    response_types_supported: Array<string>;
    response_modes_supported: Array<string>;
    grant_types_supported: Array<string>;
    code_challenge_methods_supported: Array<string>;
    token_endpoint_auth_methods_supported: Array<string>;
    revocation_endpoint_auth_methods_supported: Array<string>;
    introspection_endpoint_auth_methods_supported: Array<string>;
    authorization_response_iss_parameter_supported: boolean;
};

/**
 * Definition of one setting; an attribute that its type does not have is refused.
 */
export type SettingDefinition = {
    /**
     * Free-form text.
     */
    type: 'text';
    name: SettingName;
    /**
     * Help text beside the control (up to 1000 characters).
     */
    description?: string;
    /**
     * Example text in the empty control (up to 200 characters).
     */
    placeholder?: string;
    mandatory?: SettingMandatory;
    order?: DisplayOrder;
    scope?: SettingScope;
} | {
    /**
     * Dropdown.
     */
    type: 'select';
    name: SettingName;
    /**
     * The choices in the order of their display, 1 to 50, with distinct names and distinct values (1 and "1" count as the same value).
     */
    options: Array<{
        /**
         * Display text (1 to 200 characters).
         */
        name: string;
        /**
         * Value of the choice, a string or a number; settings keep the type it has here.
         */
        value: string | number;
    }>;
    mandatory?: SettingMandatory;
    order?: DisplayOrder;
    scope?: SettingScope;
} | {
    /**
     * Numeric input.
     */
    type: 'number';
    name: SettingName;
    /**
     * Smallest allowed value; at most 9 decimals.
     */
    min?: number;
    /**
     * Largest allowed value, not below `min`; at most 9 decimals.
     */
    max?: number;
    /**
     * Allowed values lie whole steps from `min` (from 0 without it), in exact decimals; without it every number is allowed. Greater than 0, at most 9 decimals.
     */
    step?: number;
    mandatory?: SettingMandatory;
    order?: DisplayOrder;
    scope?: SettingScope;
} | {
    /**
     * Checkbox. An optional one that is not there was never ticked: it means `false`.
     */
    type: 'boolean';
    name: SettingName;
    mandatory?: SettingMandatory;
    order?: DisplayOrder;
    scope?: SettingScope;
} | {
    /**
     * Masked text; once entered it is hidden from the user.
     */
    type: 'password';
    name: SettingName;
    /**
     * Help text beside the control (up to 1000 characters).
     */
    description?: string;
    mandatory?: SettingMandatory;
    order?: DisplayOrder;
    scope?: SettingScope;
};

/**
 * Whether a value must be given: a text or password that is not empty, a boolean of either value (to make somebody agree use an acknowledgement).
 */
export type SettingMandatory = boolean;

/**
 * Display name of the setting (1 to 100 characters).
 */
export type SettingName = string;

/**
 * Who sets it: `user` = the installing account, at install and later; `admin` = the developer, typically after the install. Users see only their own.
 */
export type SettingScope = 'user' | 'admin';

/**
 * Which settings stay, which are lost and which are needed.
 */
export type SettingsTransition = {
    /**
     * Keys whose value stays.
     */
    kept: Array<string>;
    /**
     * Keys whose value would be lost.
     */
    dropped: Array<string>;
    /**
     * Mandatory keys that need a value.
     */
    needed: Array<string>;
};

/**
 * Headers that are sent with every delivery.
 */
export type StaticHeaders = {
    [key: string]: string;
};

/**
 * Whether something is suspended, since when and why.
 */
export type Suspension = {
    /**
     * Of what was suspended or resumed.
     */
    id: string;
    suspended: boolean;
    /**
     * Since when, or null.
     */
    suspendedAt: Timestamp | null;
    /**
     * Why, or null.
     */
    suspendedReason: string | null;
};

/**
 * Why something is suspended.
 */
export type SuspensionRequest = {
    /**
     * Shown to those concerned: 1 to 500 characters.
     */
    reason: string;
};

/**
 * The terms document of a version: its hash, media type and size.
 */
export type TermsDocument = {
    /**
     * What is accepted at install: hex SHA-256 of the document.
     */
    sha256: string;
    mediaType: string;
    /**
     * Bytes.
     */
    size: number;
    /**
     * A PDF beside terms that are text, if there is one; `.../TermsDocument/Pdf` has it.
     */
    pdf?: {
        sha256: string;
        /**
         * Bytes.
         */
        size: number;
    };
};

/**
 * The document itself, as a file.
 */
export type TermsFile = Blob | File;

/**
 * A moment in UTC (ISO 8601).
 */
export type Timestamp = string;

export type TokenAnswer = {
    /**
     * The bearer token. Treat it as opaque; it has at most 2,048 characters.
     */
    access_token: string;
    token_type: 'Bearer';
    /**
     * Seconds until the token runs out.
     */
    expires_in: number;
    /**
     * Of an installation token: its permissions, separated by spaces.
     */
    scope?: string;
    /**
     * Of an installation token: the installation that it acts for.
     */
    installation_id?: string;
    /**
     * Of the token exchange (RFC 8693).
     */
    issued_token_type?: 'urn:ietf:params:oauth:token-type:access_token';
};

/**
 * A developer token for an installation token (RFC 8693).
 */
export type TokenExchangeGrant = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange';
    /**
     * Of a credential, unless `Authorization` has it.
     */
    client_id?: string;
    /**
     * Its password, unless the header has it.
     */
    client_secret?: string;
    /**
     * A developer token.
     */
    subject_token: string;
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token';
    requested_token_type?: 'urn:ietf:params:oauth:token-type:access_token';
    /**
     * The id of an installation.
     */
    audience: string;
    /**
     * Permissions that narrow the token, separated by spaces.
     */
    scope?: string;
    /**
     * If given, the base address of this server (RFC 8707).
     */
    resource?: string;
};

export type TokenInQuestion = {
    /**
     * The token.
     */
    token: string;
    /**
     * Ignored: the server sees what kind of token it is.
     */
    token_type_hint?: string;
    /**
     * Of a credential, unless `Authorization` has it.
     */
    client_id?: string;
    /**
     * Its password, unless the header has it.
     */
    client_secret?: string;
};

export type TokenRequest = ({
    grant_type: 'authorization_code';
} & AuthorizationCodeGrant) | ({
    grant_type: 'client_credentials';
} & ClientCredentialsGrant) | ({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange';
} & TokenExchangeGrant);

/**
 * What an upgrade to the latest version would do.
 */
export type Upgrade = {
    /**
     * The installed version.
     */
    from: string;
    /**
     * The latest version; the upgrade names it.
     */
    to: string;
    upToDate: boolean;
    /**
     * What is new in the latest version: Markdown; may be empty.
     */
    releaseNotes: string;
    /**
     * False when the app is no longer offered to accounts of this type; then there is no upgrade.
     */
    offered: boolean;
    changes: Array<DefinitionChange>;
    permissions: {
        added: Array<AppPermission>;
        removed: Array<string>;
    };
    settings: SettingsTransition;
    purchaseOptionId: string;
    /**
     * False when the latest version lacks it; then the upgrade names another.
     */
    purchaseOptionAvailable: boolean;
    price: {
        before: Quote;
        after: Quote | null;
    };
    /**
     * To be accepted: those not accepted before in the same words.
     */
    acknowledgements: Array<AppAcknowledgement>;
    /**
     * To be accepted, unless it was before; `.../Upgrade/TermsDocument` has its text.
     */
    termsDocument: TermsDocument | null;
};

/**
 * The version to upgrade to, with settings and what is accepted.
 */
export type UpgradeRequest = {
    /**
     * The version that the preview showed.
     */
    version: string;
    /**
     * The purchase option to change to.
     */
    purchaseOptionId?: string;
    /**
     * Values on top of those that stay: setting key -> value.
     */
    userSettings?: {
        [key: string]: unknown;
    };
    acknowledgements?: AcceptedAcknowledgements;
    termsDocument?: AcceptedTerms | null;
};

/**
 * What an installation did with one permission on one day.
 */
export type UsageOfDay = {
    /**
     * In UTC.
     */
    day: string;
    /**
     * The permission that the requests used; `none` for those that need none.
     */
    permission: string;
    /**
     * Requests, refused ones included.
     */
    requests: number;
    /**
     * Products that were answered or written.
     */
    records: number;
    /**
     * How many requests were refused, by the code of the error: `too_many_requests` over the limit, `insufficient_scope` without the permission, and the other codes of 403.
     */
    refusals: {
        [key: string]: number;
    };
};

/**
 * When an installation used one of its permissions last.
 */
export type UsageOfPermission = {
    permission: string;
    /**
     * When a request that was not refused used it last; null without one in 400 days.
     */
    lastUsedAt: Timestamp | null;
    /**
     * Since when it has not been used: its last use; without one, since the installation has it. Never before use was counted, nor more than 400 days ago.
     */
    unusedSince: Timestamp;
};

/**
 * What changes about a user; members that are left out stay.
 */
export type UserChange = {
    name?: UserName;
    email?: UserEmail;
    /**
     * Whether the user may use the operator endpoints.
     */
    operator?: boolean;
    /**
     * Whether the user may read what operators read, and change nothing. Never together with `operator`.
     */
    support?: boolean;
    /**
     * You have checked that the email is theirs, as for a user without mail. Whoever signs in as the user now goes on doing so.
     */
    emailProved?: true;
};

/**
 * An email address and its password.
 */
export type UserCredentials = {
    /**
     * Email of the user.
     */
    email: string;
    /**
     * Password of the user, at most 1,024 bytes.
     */
    password: string;
    /**
     * Code of the second factor, if the user has one; or a recovery code.
     */
    otp?: string;
};

/**
 * What the user signs in with; case, width and surrounding space do not matter (it is kept in NFKC). A domain in other letters is kept and answered as the DNS has it (`xn--...`, UTS 46).
 */
export type UserEmail = string;

/**
 * 1 to 200 characters, without surrounding space and invisible characters but for the joiners that a script or an emoji needs. It is kept in NFC.
 */
export type UserName = string;

/**
 * A user as operators see it.
 */
export type UserRecord = {
    /**
     * Id of the user.
     */
    id: string;
    email: string;
    /**
     * False for whom somebody who is no operator invited by a link that was handed over. Such a user gets no role (`email_not_proved`) until the email is proved by a mailed link or single sign-on, or an operator sets this.
     */
    emailProved: boolean;
    name: string;
    /**
     * Whether the user may use the operator endpoints.
     */
    operator: boolean;
    /**
     * Whether the user may read what operators read.
     */
    support: boolean;
    /**
     * The accounts that the user belongs to.
     */
    partyIds: Array<number>;
    /**
     * The same accounts, with what the user may do for each.
     */
    memberships: Array<{
        partyId: number;
        role: PartyRole;
    }>;
    suspended: boolean;
    /**
     * Since when, or null.
     */
    suspendedAt: Timestamp | null;
    /**
     * Why, or null.
     */
    suspendedReason: string | null;
    createdAt: Timestamp;
};

/**
 * A user to be created.
 */
export type UserRequest = {
    name: UserName;
    email: UserEmail;
    password?: PasswordOrGenerated;
    /**
     * The accounts that the user belongs to.
     */
    partyIds: Array<number>;
    /**
     * Whether the user may use the operator endpoints. Default: false.
     */
    operator?: boolean;
    /**
     * Whether the user may read what operators read, and change nothing. Never together with `operator`.
     */
    support?: boolean;
};

/**
 * A merge patch (RFC 7396): setting key -> value; null removes one.
 */
export type UserSettingsPatch = {
    [key: string]: unknown;
};

/**
 * `draft`: only in your sandbox. `private`: only for the accounts that you name, and for those that have used an install link. `unlisted`: for everybody who has the address. `listed`: in the public catalogue.
 */
export type Visibility = 'draft' | 'private' | 'unlisted' | 'listed';

export type VisibilityRequest = {
    visibility: Visibility;
    /**
     * Ids of the accounts that may find and install the app while it is private; they take the place of those named before. Without it these stay.
     */
    partyIds?: Array<number>;
};

/**
 * A later version that waits for an account.
 */
export type WaitingUpgrade = {
    installationId: string;
    appId: string;
    appName: string;
    partyId: number;
    partyName: string;
    /**
     * The installed version.
     */
    from: string;
    /**
     * The latest version.
     */
    to: string;
    /**
     * When the latest version was published.
     */
    publishedAt: Timestamp;
    /**
     * Whether it changes what the account agreed to, such as permissions or prices.
     */
    breaking: boolean;
    permissionsAdded: Array<string>;
    price: {
        before: Quote;
        /**
         * Null when the latest version lacks the purchase option.
         */
        after: Quote | null;
    };
};

/**
 * An endpoint that events are sent to.
 */
export type Webhook = {
    id: string;
    appId: string;
    /**
     * Where events are sent: an `https` address of the public internet, without a user name, password or fragment. It is refused when its name resolves to a private network; a name that does not resolve yet is taken.
     */
    url: string;
    /**
     * The types of events that are sent. Empty: all, those of later releases included. `webhook.test` is sent to the endpoint that is tested, whatever is chosen here.
     */
    events: Array<EventTypeName>;
    /**
     * Whether events of one installation are sent one after the other, in their order: one that fails holds back those after it. Default: false, as soon as possible.
     */
    ordered: boolean;
    /**
     * Names of the static headers; never their values.
     */
    headerNames: Array<string>;
    status: WebhookStatus;
    /**
     * `developer`: you disabled it; `failing`: it failed for five days; `gone`: it answered 410.
     */
    disabledReason: 'developer' | 'failing' | 'gone' | null;
    disabledAt: Timestamp | null;
    health: WebhookHealth;
    /**
     * The first failure since the last success, or null. After more than a day without an attempt it counts anew.
     */
    failingSince: Timestamp | null;
    /**
     * When an attempt succeeded last.
     */
    lastSuccessAt: Timestamp | null;
    /**
     * When an attempt failed last.
     */
    lastFailureAt: Timestamp | null;
    /**
     * Why the last failed attempt failed.
     */
    lastFailure: WebhookFailureReason | null;
    /**
     * Deliveries that wait to be sent, or to be sent again. 10001 means that or more.
     */
    pendingDeliveries: number;
    /**
     * Until when the secret before the last rotation signs as well, or null.
     */
    secretRotatesUntil: Timestamp | null;
    createdAt: Timestamp;
    /**
     * When it was changed last; deliveries change nothing here.
     */
    updatedAt: Timestamp;
};

/**
 * One request of a delivery.
 */
export type WebhookAttempt = {
    /**
     * 1, 2, 3, ... of one delivery.
     */
    number: number;
    /**
     * When it began.
     */
    at: Timestamp;
    durationMs: number;
    /**
     * `gone`: the receiver answered 410, which disables the endpoint; `proxy_failed`: the proxy of the marketplace is at fault, which is not held against the endpoint.
     */
    outcome: 'succeeded' | 'failed' | 'gone' | 'proxy_failed';
    /**
     * HTTP status of the response, or null when there was none.
     */
    status: number | null;
    /**
     * Why it failed, or null.
     */
    reason: WebhookFailureReason | null;
};

/**
 * One request of a delivery, and the beginning of the response.
 */
export type WebhookAttemptWithResponse = WebhookAttempt & {
    /**
     * The first KiB of the response, or null.
     */
    response: string | null;
};

/**
 * One event on its way to one endpoint, with every attempt.
 */
export type WebhookDelivery = {
    id: string;
    /**
     * The event, which is `webhook-id` of each request.
     */
    eventId: string;
    type: EventTypeName;
    /**
     * When the event happened.
     */
    timestamp: Timestamp;
    /**
     * Of the event in your event log.
     */
    position: number;
    /**
     * Of an event of an installation.
     */
    installationId: string | null;
    status: WebhookDeliveryStatus;
    /**
     * Attempts that were made.
     */
    attemptCount: number;
    /**
     * When the next attempt is made at the earliest; null unless `pending`.
     */
    dueAt: Timestamp | null;
    createdAt: Timestamp;
    /**
     * When its last attempt ended; null while `pending`.
     */
    finishedAt: Timestamp | null;
    /**
     * The newest attempt, or null when there was none.
     */
    lastAttempt: WebhookAttempt | null;
    /**
     * Every attempt, oldest first.
     */
    attempts: Array<WebhookAttemptWithResponse>;
};

/**
 * `pending`: waits to be sent, or to be sent again; `failed`: is not sent again by itself; `cancelled`: was not sent any more, because its installation was uninstalled.
 */
export type WebhookDeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'cancelled';

/**
 * A webhook endpoint was disabled: nothing is sent to it until it is enabled.
 */
export type WebhookDisabledEvent = {
    id: EventId;
    type: 'webhook.disabled';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: {
        appId: string;
        endpointId: string;
        url: EndpointUrl;
        /**
         * `developer`: you disabled it; `failing`: it failed for five days; `gone`: it answered 410.
         */
        reason: 'developer' | 'failing' | 'gone';
    };
};

/**
 * A webhook endpoint has failed for half of the five days after which it is disabled; again at 70 and 90 percent.
 */
export type WebhookFailingEvent = {
    id: EventId;
    type: 'webhook.failing';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: {
        appId: string;
        endpointId: string;
        url: EndpointUrl;
        percent: 50 | 70 | 90;
        failingSince: string;
        disablesAt: string;
    };
};

/**
 * Why an attempt failed.
 */
export type WebhookFailureReason = {
    code: 'url_refused' | 'name_not_resolved' | 'address_refused' | 'connect_failed' | 'connect_timeout' | 'tls_failed' | 'certificate_refused' | 'timeout' | 'connection_lost' | 'answer_malformed' | 'headers_too_large' | 'redirect' | 'gone' | 'status' | 'proxy_failed' | 'not_sent';
    detail: string;
};

/**
 * `failing`: the last attempt failed; `healthy`: it succeeded; `untried`: there was none. Faults of our own proxy do not count.
 */
export type WebhookHealth = 'healthy' | 'failing' | 'untried';

/**
 * What changes about an endpoint.
 */
export type WebhookPatch = {
    /**
     * Where events are sent: an `https` address of the public internet, without a user name, password or fragment. It is refused when its name resolves to a private network; a name that does not resolve yet is taken.
     */
    url?: string;
    /**
     * The types of events that are sent. Empty: all, those of later releases included. `webhook.test` is sent to the endpoint that is tested, whatever is chosen here.
     */
    events?: Array<EventTypeName>;
    /**
     * Whether events of one installation are sent one after the other, in their order: one that fails holds back those after it. Default: false, as soon as possible.
     */
    ordered?: boolean;
    /**
     * Sets the headers that it names and keeps the others; `null` as a value removes a header, `null` instead of the object removes all.
     */
    headers?: {
        [key: string]: string | null;
    } | null;
};

/**
 * How many events are sent again.
 */
export type WebhookRecovered = {
    /**
     * How many are sent because of this; those that were due anyway are not counted.
     */
    deliveries: number;
    /**
     * False when there were too many for one request: send it again, with `position` as `after`, to go on.
     */
    complete: boolean;
    /**
     * How far in your log this request came. Only when it is not complete.
     */
    position?: number;
};

/**
 * What is sent again.
 */
export type WebhookRecovery = {
    /**
     * At most 30 days ago.
     */
    since: string;
    /**
     * Sends again what was received, and what was cancelled, too: for a receiver that has lost its data. Default: false.
     */
    all?: boolean;
    /**
     * Only events after this position of your log: the `position` of an answer that was not complete.
     */
    after?: number;
};

/**
 * An endpoint to be created.
 */
export type WebhookRequest = {
    /**
     * Where events are sent: an `https` address of the public internet, without a user name, password or fragment. It is refused when its name resolves to a private network; a name that does not resolve yet is taken.
     */
    url: string;
    /**
     * The types of events that are sent. Empty: all, those of later releases included. `webhook.test` is sent to the endpoint that is tested, whatever is chosen here.
     */
    events?: Array<EventTypeName>;
    /**
     * Whether events of one installation are sent one after the other, in their order: one that fails holds back those after it. Default: false, as soon as possible.
     */
    ordered?: boolean;
    /**
     * Headers that every request carries, at most 10. Their values are never returned.
     */
    headers?: StaticHeaders;
};

/**
 * Nothing is sent to a disabled endpoint, and no deliveries are made for it.
 */
export type WebhookStatus = 'enabled' | 'disabled';

/**
 * The test event, which is on its way.
 */
export type WebhookTest = {
    /**
     * The `webhook.test` event.
     */
    eventId: string;
};

/**
 * A test that you asked for; sent to one endpoint only.
 */
export type WebhookTestEvent = {
    id: EventId;
    type: 'webhook.test';
    timestamp: EventTimestamp;
    position: EventPosition;
    data: {
        appId: string;
        endpointId: string;
        url: EndpointUrl;
    };
};

/**
 * An endpoint with its secret, which is shown only once.
 */
export type WebhookWithSecret = Webhook & {
    /**
     * Signs the requests (Standard Webhooks 1.0). Shown only now: keep it. Of its 32 bytes the last four are the CRC-32 of the others, by which scanners know it.
     */
    secret: string;
};

/**
 * Whether the app's webhook endpoints work.
 */
export type WebhooksState = {
    /**
     * The worst of the app's webhook endpoints; `none` when it has none. One that its developer has disabled counts only when there is no other.
     */
    status: 'healthy' | 'failing' | 'disabled' | 'none';
    /**
     * Since when it fails or is disabled, otherwise null.
     */
    since: Timestamp | null;
};

/**
 * A product as it was written, and what looks wrong in it.
 */
export type WrittenProduct = Product & {
    /**
     * What looks wrong and was taken, such as a wrong check digit; only if there is any.
     */
    warnings?: Array<FieldError>;
};

/**
 * It does not reveal anything about the new address.
 */
export type EmailChangeRequestedWritable = {
    [key: string]: unknown;
};

/**
 * It does not reveal anything about the address.
 */
export type PasswordResetRequestedWritable = {
    [key: string]: unknown;
};

/**
 * A permission that apps can ask for.
 */
export type PermissionWritable = {
    /**
     * `resource:action`; what definitions and tokens name.
     */
    id: string;
    /**
     * Short name, for people.
     */
    title: string;
    /**
     * What it lets an app do.
     */
    description: string;
};

export type RevokedWritable = {
    [key: string]: unknown;
};

export type RevokedOfClientWritable = {
    [key: string]: unknown;
};

export type SecretReportedWritable = {
    [key: string]: unknown;
};

/**
 * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
 */
export type IfMatch = string;

/**
 * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
 */
export type IfNoneMatch = string;

/**
 * Entries per page, 1 to 1000.
 */
export type Limit = number;

/**
 * Where the page begins: taken from the `Link` header of the page before.
 */
export type Cursor = string;

/**
 * Id of the app.
 */
export type AppId = string;

/**
 * How many products the account has. Options with a fixed fee need none.
 */
export type Records = number;

/**
 * Only of this app.
 */
export type AppIdFilter = string;

/**
 * Only with this status. Default: `active` and `suspended`.
 */
export type InstallationStatusFilter = InstallationStatus;

/**
 * `omit` leaves passwords out of the settings.
 */
export type Secrets = 'omit';

/**
 * Id of the installation.
 */
export type InstallationId = string;

/**
 * Hash of the terms document, in hex.
 */
export type TermsSha256 = string;

/**
 * The first day, in UTC. Default: 29 days before `to`.
 */
export type UsageFrom = string;

/**
 * The last day, in UTC. Default: today.
 */
export type UsageTo = string;

/**
 * Id of the person.
 */
export type PersonId = string;

/**
 * `true`: return what would change, and change nothing.
 */
export type DryRun = boolean;

/**
 * A version of the app.
 */
export type Version = string;

/**
 * Publish the change with this new version.
 */
export type NewVersion = string;

/**
 * Id of a screenshot.
 */
export type ScreenshotId = string;

/**
 * Only by actors of this kind.
 */
export type AuditActorKind = 'developer' | 'user' | 'operator' | 'installation' | 'system';

/**
 * Only this action.
 */
export type AuditAction = string;

/**
 * Only on things of this kind.
 */
export type AuditSubjectKind = string;

/**
 * Only on the thing with this id.
 */
export type AuditSubjectId = string;

/**
 * Only from this moment on.
 */
export type AuditSince = string;

/**
 * Only before this moment.
 */
export type AuditUntil = string;

/**
 * Your name for it; it has 1 to 64 lower-case letters, digits, hyphens, dots and underscores, and is neither . nor ...
 */
export type EventConsumerName = string;

/**
 * Id of the webhook endpoint.
 */
export type EndpointId = string;

/**
 * Id of the delivery.
 */
export type DeliveryId = string;

/**
 * Id of the invitation.
 */
export type InvitationId = string;

/**
 * Id of one of your accounts.
 */
export type IdOfOwnParty = number;

/**
 * Id of the member.
 */
export type MemberId = string;

/**
 * Only of this account.
 */
export type OwnPartyFilter = number;

/**
 * Id of the request.
 */
export type RequestId = string;

/**
 * Only those with this text in their name, without regard to case; one or two characters are looked for where words begin.
 */
export type NameSearch = string;

/**
 * Only suspended ones, or only others.
 */
export type SuspendedFilter = boolean;

/**
 * Id of the developer.
 */
export type IdOfDeveloper = string;

/**
 * Id of the party.
 */
export type IdOfParty = number;

/**
 * Id of the user.
 */
export type IdOfUser = string;

/**
 * Id of the user.
 */
export type MembershipUserId = string;

/**
 * Id of the party.
 */
export type MembershipPartyId = number;

/**
 * Id of the app.
 */
export type IdOfApp = string;

/**
 * Id of the installation.
 */
export type IdOfInstallation = string;

/**
 * Only by this actor.
 */
export type AuditActorId = string;

/**
 * Only what this developer may see.
 */
export type AuditDeveloperId = string;

/**
 * Only what this party may see.
 */
export type AuditPartyId = number;

/**
 * Only what is about or by somebody or something with this text in the name or email, or with this id, and actions with these words.
 */
export type AuditSearch = string;

/**
 * Id of the product.
 */
export type IdOfProduct = number;

/**
 * The `id` of the event: the same in every attempt, so that you can recognise a repetition.
 */
export type WebhookId = string;

/**
 * When this attempt was made, in seconds since 1970: refuse what is older than five minutes.
 */
export type WebhookTimestamp = number;

/**
 * Signatures of `{webhook-id}.{webhook-timestamp}.{body}` (HMAC-SHA256), `v1,` and base64 each, separated by spaces: one for each secret that is valid. One that matches is enough.
 */
export type WebhookSignature = string;

export type CreateDeveloperTokenData = {
    body: DeveloperCredentials;
    path?: never;
    query?: never;
    url: '/v1/Auth';
};

export type CreateDeveloperTokenErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `invalid_credentials`: The credentials are wrong.
     */
    401: Problem & {
        code: 'invalid_credentials';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateDeveloperTokenError = CreateDeveloperTokenErrors[keyof CreateDeveloperTokenErrors];

export type CreateDeveloperTokenResponses = {
    /**
     * Success.
     */
    200: IssuedToken;
};

export type CreateDeveloperTokenResponse = CreateDeveloperTokenResponses[keyof CreateDeveloperTokenResponses];

export type CreateAccountTokenData = {
    body: UserCredentials;
    path?: never;
    query?: never;
    url: '/v1/Account/Auth';
};

export type CreateAccountTokenErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `invalid_credentials`: The credentials are wrong. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'invalid_credentials' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `password_login_off`: Users sign in by single sign-on.
     */
    403: Problem & {
        code: 'password_login_off';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateAccountTokenError = CreateAccountTokenErrors[keyof CreateAccountTokenErrors];

export type CreateAccountTokenResponses = {
    /**
     * Success.
     */
    200: IssuedToken;
};

export type CreateAccountTokenResponse = CreateAccountTokenResponses[keyof CreateAccountTokenResponses];

export type ListAppsData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query?: {
        /**
         * Only apps offered to this type of party.
         */
        partyType?: OfferedPartyType;
        /**
         * Only apps with all these words (the first ten count) in name, description or id; one or two characters are looked for where words begin.
         */
        q?: string;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Apps';
};

export type ListAppsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListAppsError = ListAppsErrors[keyof ListAppsErrors];

export type ListAppsResponses = {
    /**
     * Success.
     */
    200: Array<PublicApp>;
};

export type ListAppsResponse = ListAppsResponses[keyof ListAppsResponses];

export type ReadAppData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Apps/{appId}';
};

export type ReadAppErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadAppError = ReadAppErrors[keyof ReadAppErrors];

export type ReadAppResponses = {
    /**
     * Success.
     */
    200: PublicApp;
};

export type ReadAppResponse = ReadAppResponses[keyof ReadAppResponses];

export type QuotePurchaseOptionData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of a purchase option of the app.
         */
        purchaseOptionId: string;
    };
    query?: {
        /**
         * How many products the account has. Options with a fixed fee need none.
         */
        records?: number;
    };
    url: '/v1/Apps/{appId}/PurchaseOptions/{purchaseOptionId}/Quote';
};

export type QuotePurchaseOptionErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type QuotePurchaseOptionError = QuotePurchaseOptionErrors[keyof QuotePurchaseOptionErrors];

export type QuotePurchaseOptionResponses = {
    /**
     * Success.
     */
    200: Quote;
};

export type QuotePurchaseOptionResponse = QuotePurchaseOptionResponses[keyof QuotePurchaseOptionResponses];

export type ListPermissionsData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Permissions';
};

export type ListPermissionsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListPermissionsError = ListPermissionsErrors[keyof ListPermissionsErrors];

export type ListPermissionsResponses = {
    /**
     * Success.
     */
    200: Array<Permission>;
};

export type ListPermissionsResponse = ListPermissionsResponses[keyof ListPermissionsResponses];

export type ReadTermsDocumentData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Apps/{appId}/TermsDocument';
};

export type ReadTermsDocumentErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadTermsDocumentError = ReadTermsDocumentErrors[keyof ReadTermsDocumentErrors];

export type ReadTermsDocumentResponses = {
    /**
     * Success.
     */
    200: TermsFile;
};

export type ReadTermsDocumentResponse = ReadTermsDocumentResponses[keyof ReadTermsDocumentResponses];

export type ReadTermsPdfData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Apps/{appId}/TermsDocument/Pdf';
};

export type ReadTermsPdfErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadTermsPdfError = ReadTermsPdfErrors[keyof ReadTermsPdfErrors];

export type ReadTermsPdfResponses = {
    /**
     * Success.
     */
    200: TermsFile;
};

export type ReadTermsPdfResponse = ReadTermsPdfResponses[keyof ReadTermsPdfResponses];

export type ListEventTypesData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/EventTypes';
};

export type ListEventTypesErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListEventTypesError = ListEventTypesErrors[keyof ListEventTypesErrors];

export type ListEventTypesResponses = {
    /**
     * Success.
     */
    200: Array<EventType>;
};

export type ListEventTypesResponse = ListEventTypesResponses[keyof ListEventTypesResponses];

export type ReadKeysData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/.well-known/jwks.json';
};

export type ReadKeysErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadKeysError = ReadKeysErrors[keyof ReadKeysErrors];

export type ReadKeysResponses = {
    /**
     * Success.
     */
    200: Jwks;
};

export type ReadKeysResponse = ReadKeysResponses[keyof ReadKeysResponses];

export type ReadServerMetadataData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/.well-known/oauth-authorization-server';
};

export type ReadServerMetadataErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadServerMetadataError = ReadServerMetadataErrors[keyof ReadServerMetadataErrors];

export type ReadServerMetadataResponses = {
    /**
     * Success.
     */
    200: ServerMetadata;
};

export type ReadServerMetadataResponse = ReadServerMetadataResponses[keyof ReadServerMetadataResponses];

export type ReadServerMetadataOfAppData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/.well-known/oauth-authorization-server/Apps/{appId}';
};

export type ReadServerMetadataOfAppErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadServerMetadataOfAppError = ReadServerMetadataOfAppErrors[keyof ReadServerMetadataOfAppErrors];

export type ReadServerMetadataOfAppResponses = {
    /**
     * Success.
     */
    200: ServerMetadata;
};

export type ReadServerMetadataOfAppResponse = ReadServerMetadataOfAppResponses[keyof ReadServerMetadataOfAppResponses];

export type CreateOAuthTokenData = {
    body: TokenRequest;
    path?: never;
    query?: never;
    url: '/oauth/token';
};

export type CreateOAuthTokenErrors = {
    /**
     * The request is wrong, or asks for what it may not have.
     */
    400: OAuthFailure;
    /**
     * `invalid_client`: the client is unknown or has not proved itself.
     */
    401: OAuthFailure;
    /**
     * The body is too large.
     */
    413: OAuthFailure;
    /**
     * The body is not a form.
     */
    415: OAuthFailure;
    /**
     * Too many requests.
     */
    429: OAuthFailure;
    /**
     * Something went wrong on our side.
     */
    500: OAuthFailure;
    /**
     * The server cannot answer just now.
     */
    503: OAuthFailure;
};

export type CreateOAuthTokenError = CreateOAuthTokenErrors[keyof CreateOAuthTokenErrors];

export type CreateOAuthTokenResponses = {
    /**
     * Success.
     */
    200: TokenAnswer;
};

export type CreateOAuthTokenResponse = CreateOAuthTokenResponses[keyof CreateOAuthTokenResponses];

export type RevokeOAuthTokenData = {
    body: TokenInQuestion;
    path?: never;
    query?: never;
    url: '/oauth/revoke';
};

export type RevokeOAuthTokenErrors = {
    /**
     * The request is wrong, or asks for what it may not have.
     */
    400: OAuthFailure;
    /**
     * `invalid_client`: the client is unknown or has not proved itself.
     */
    401: OAuthFailure;
    /**
     * The body is too large.
     */
    413: OAuthFailure;
    /**
     * The body is not a form.
     */
    415: OAuthFailure;
    /**
     * Too many requests.
     */
    429: OAuthFailure;
    /**
     * Something went wrong on our side.
     */
    500: OAuthFailure;
    /**
     * The server cannot answer just now.
     */
    503: OAuthFailure;
};

export type RevokeOAuthTokenError = RevokeOAuthTokenErrors[keyof RevokeOAuthTokenErrors];

export type RevokeOAuthTokenResponses = {
    /**
     * Success.
     */
    200: RevokedOfClient;
};

export type RevokeOAuthTokenResponse = RevokeOAuthTokenResponses[keyof RevokeOAuthTokenResponses];

export type IntrospectOAuthTokenData = {
    body: TokenInQuestion;
    path?: never;
    query?: never;
    url: '/oauth/introspect';
};

export type IntrospectOAuthTokenErrors = {
    /**
     * The request is wrong, or asks for what it may not have.
     */
    400: OAuthFailure;
    /**
     * `invalid_client`: the client is unknown or has not proved itself.
     */
    401: OAuthFailure;
    /**
     * The body is too large.
     */
    413: OAuthFailure;
    /**
     * The body is not a form.
     */
    415: OAuthFailure;
    /**
     * Too many requests.
     */
    429: OAuthFailure;
    /**
     * Something went wrong on our side.
     */
    500: OAuthFailure;
    /**
     * The server cannot answer just now.
     */
    503: OAuthFailure;
};

export type IntrospectOAuthTokenError = IntrospectOAuthTokenErrors[keyof IntrospectOAuthTokenErrors];

export type IntrospectOAuthTokenResponses = {
    /**
     * Success.
     */
    200: Introspection;
};

export type IntrospectOAuthTokenResponse = IntrospectOAuthTokenResponses[keyof IntrospectOAuthTokenResponses];

export type ReportSecretData = {
    body: SecretReport;
    path?: never;
    query?: never;
    url: '/v1/Secrets/Report';
};

export type ReportSecretErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReportSecretError = ReportSecretErrors[keyof ReportSecretErrors];

export type ReportSecretResponses = {
    /**
     * Success.
     */
    202: SecretReported;
};

export type ReportSecretResponse = ReportSecretResponses[keyof ReportSecretResponses];

export type AcceptInvitationData = {
    body: InvitationAcceptance;
    path?: never;
    query?: never;
    url: '/v1/Account/Invitations/Accept';
};

export type AcceptInvitationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `invited_user_required`: Only the invited user may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'invited_user_required';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `invalid_link`: The link cannot be used any more.
     */
    410: Problem & {
        code: 'invalid_link';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type AcceptInvitationError = AcceptInvitationErrors[keyof AcceptInvitationErrors];

export type AcceptInvitationResponses = {
    /**
     * Success.
     */
    200: AcceptedInvitation;
};

export type AcceptInvitationResponse = AcceptInvitationResponses[keyof AcceptInvitationResponses];

export type CreatePasswordResetData = {
    body: PasswordResetRequest;
    path?: never;
    query?: never;
    url: '/v1/Account/PasswordReset';
};

export type CreatePasswordResetErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `password_login_off`: Users sign in by single sign-on.
     */
    403: Problem & {
        code: 'password_login_off';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreatePasswordResetError = CreatePasswordResetErrors[keyof CreatePasswordResetErrors];

export type CreatePasswordResetResponses = {
    /**
     * Success.
     */
    202: PasswordResetRequested;
};

export type CreatePasswordResetResponse = CreatePasswordResetResponses[keyof CreatePasswordResetResponses];

export type CompletePasswordResetData = {
    body: PasswordResetCompletion;
    path?: never;
    query?: never;
    url: '/v1/Account/PasswordReset/Complete';
};

export type CompletePasswordResetErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `password_login_off`: Users sign in by single sign-on.
     */
    403: Problem & {
        code: 'password_login_off';
    };
    /**
     * `invalid_link`: The link cannot be used any more.
     */
    410: Problem & {
        code: 'invalid_link';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CompletePasswordResetError = CompletePasswordResetErrors[keyof CompletePasswordResetErrors];

export type CompletePasswordResetResponses = {
    /**
     * Success.
     */
    200: PasswordResetDone;
};

export type CompletePasswordResetResponse = CompletePasswordResetResponses[keyof CompletePasswordResetResponses];

export type ConfirmEmailChangeData = {
    body: EmailChangeConfirmation;
    path?: never;
    query?: never;
    url: '/v1/Account/EmailChange/Confirm';
};

export type ConfirmEmailChangeErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `already_exists`: It exists already.
     */
    409: Problem & {
        code: 'already_exists';
    };
    /**
     * `invalid_link`: The link cannot be used any more.
     */
    410: Problem & {
        code: 'invalid_link';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ConfirmEmailChangeError = ConfirmEmailChangeErrors[keyof ConfirmEmailChangeErrors];

export type ConfirmEmailChangeResponses = {
    /**
     * Success.
     */
    200: ConfirmedEmailChange;
};

export type ConfirmEmailChangeResponse = ConfirmEmailChangeResponses[keyof ConfirmEmailChangeResponses];

export type ReadLivenessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/livez';
};

export type ReadLivenessErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadLivenessError = ReadLivenessErrors[keyof ReadLivenessErrors];

export type ReadLivenessResponses = {
    /**
     * Success.
     */
    200: Health;
};

export type ReadLivenessResponse = ReadLivenessResponses[keyof ReadLivenessResponses];

export type ReadReadinessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/readyz';
};

export type ReadReadinessErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadReadinessError = ReadReadinessErrors[keyof ReadReadinessErrors];

export type ReadReadinessResponses = {
    /**
     * Success.
     */
    200: Health;
};

export type ReadReadinessResponse = ReadReadinessResponses[keyof ReadReadinessResponses];

export type ListInstallationsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only of this app.
         */
        appId?: string;
        /**
         * Only of this party.
         */
        partyId?: number;
        /**
         * Only of parties of this type.
         */
        partyType?: PartyType;
        /**
         * Only with this status. Default: `active` and `suspended`.
         */
        status?: InstallationStatus;
        /**
         * Only what changed at or after this time; then uninstalled ones come as well.
         */
        updatedSince?: string;
        /**
         * `omit` leaves passwords out of the settings.
         */
        secrets?: 'omit';
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Developer/Installations';
};

export type ListInstallationsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListInstallationsError = ListInstallationsErrors[keyof ListInstallationsErrors];

export type ListInstallationsResponses = {
    /**
     * Success.
     */
    200: Array<Installation>;
};

export type ListInstallationsResponse = ListInstallationsResponses[keyof ListInstallationsResponses];

export type UninstallAppAsDeveloperData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: never;
    url: '/v1/Developer/Installations/{installationId}';
};

export type UninstallAppAsDeveloperErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type UninstallAppAsDeveloperError = UninstallAppAsDeveloperErrors[keyof UninstallAppAsDeveloperErrors];

export type UninstallAppAsDeveloperResponses = {
    /**
     * Success.
     */
    204: void;
};

export type UninstallAppAsDeveloperResponse = UninstallAppAsDeveloperResponses[keyof UninstallAppAsDeveloperResponses];

export type ReadInstallationData = {
    body?: never;
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: {
        /**
         * `omit` leaves passwords out of the settings.
         */
        secrets?: 'omit';
    };
    url: '/v1/Developer/Installations/{installationId}';
};

export type ReadInstallationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadInstallationError = ReadInstallationErrors[keyof ReadInstallationErrors];

export type ReadInstallationResponses = {
    /**
     * Success.
     */
    200: Installation;
};

export type ReadInstallationResponse = ReadInstallationResponses[keyof ReadInstallationResponses];

export type QuoteInstallationData = {
    body?: never;
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: {
        /**
         * How many products the account has. Options with a fixed fee need none.
         */
        records?: number;
    };
    url: '/v1/Developer/Installations/{installationId}/Quote';
};

export type QuoteInstallationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type QuoteInstallationError = QuoteInstallationErrors[keyof QuoteInstallationErrors];

export type QuoteInstallationResponses = {
    /**
     * Success.
     */
    200: Quote;
};

export type QuoteInstallationResponse = QuoteInstallationResponses[keyof QuoteInstallationResponses];

export type ChangeAdminSettingsData = {
    body: AdminSettingsPatch;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: never;
    url: '/v1/Developer/Installations/{installationId}/AdminSettings';
};

export type ChangeAdminSettingsErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ChangeAdminSettingsError = ChangeAdminSettingsErrors[keyof ChangeAdminSettingsErrors];

export type ChangeAdminSettingsResponses = {
    /**
     * Success.
     */
    200: Installation;
};

export type ChangeAdminSettingsResponse = ChangeAdminSettingsResponses[keyof ChangeAdminSettingsResponses];

export type SuspendInstallationData = {
    body: InstallationSuspension;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: never;
    url: '/v1/Developer/Installations/{installationId}/Suspend';
};

export type SuspendInstallationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type SuspendInstallationError = SuspendInstallationErrors[keyof SuspendInstallationErrors];

export type SuspendInstallationResponses = {
    /**
     * Success.
     */
    200: Installation;
};

export type SuspendInstallationResponse = SuspendInstallationResponses[keyof SuspendInstallationResponses];

export type ResumeInstallationData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: never;
    url: '/v1/Developer/Installations/{installationId}/Resume';
};

export type ResumeInstallationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ResumeInstallationError = ResumeInstallationErrors[keyof ResumeInstallationErrors];

export type ResumeInstallationResponses = {
    /**
     * Success.
     */
    200: Installation;
};

export type ResumeInstallationResponse = ResumeInstallationResponses[keyof ResumeInstallationResponses];

export type InstallAppInSandboxData = {
    body: SandboxRequest;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Sandbox';
};

export type InstallAppInSandboxErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one. `already_installed`: The app is installed already.
     */
    409: Problem & {
        code: 'conflict' | 'already_installed';
        /**
         * The installation that stands in the way.
         */
        installationId?: string;
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type InstallAppInSandboxError = InstallAppInSandboxErrors[keyof InstallAppInSandboxErrors];

export type InstallAppInSandboxResponses = {
    /**
     * Success.
     */
    201: Installation;
};

export type InstallAppInSandboxResponse = InstallAppInSandboxResponses[keyof InstallAppInSandboxResponses];

export type ListDeveloperAcceptancesData = {
    body?: never;
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Developer/Installations/{installationId}/Acceptances';
};

export type ListDeveloperAcceptancesErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListDeveloperAcceptancesError = ListDeveloperAcceptancesErrors[keyof ListDeveloperAcceptancesErrors];

export type ListDeveloperAcceptancesResponses = {
    /**
     * Success.
     */
    200: Array<Acceptance>;
};

export type ListDeveloperAcceptancesResponse = ListDeveloperAcceptancesResponses[keyof ListDeveloperAcceptancesResponses];

export type ReadDeveloperAcceptedTermsDocumentData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
        /**
         * Hash of the terms document, in hex.
         */
        sha256: string;
    };
    query?: never;
    url: '/v1/Developer/Installations/{installationId}/Acceptances/{sha256}/TermsDocument';
};

export type ReadDeveloperAcceptedTermsDocumentErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadDeveloperAcceptedTermsDocumentError = ReadDeveloperAcceptedTermsDocumentErrors[keyof ReadDeveloperAcceptedTermsDocumentErrors];

export type ReadDeveloperAcceptedTermsDocumentResponses = {
    /**
     * Success.
     */
    200: TermsFile;
};

export type ReadDeveloperAcceptedTermsDocumentResponse = ReadDeveloperAcceptedTermsDocumentResponses[keyof ReadDeveloperAcceptedTermsDocumentResponses];

export type ReadInstallationUsageData = {
    body?: never;
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: {
        /**
         * The first day, in UTC. Default: 29 days before `to`.
         */
        from?: string;
        /**
         * The last day, in UTC. Default: today.
         */
        to?: string;
    };
    url: '/v1/Developer/Installations/{installationId}/Usage';
};

export type ReadInstallationUsageErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadInstallationUsageError = ReadInstallationUsageErrors[keyof ReadInstallationUsageErrors];

export type ReadInstallationUsageResponses = {
    /**
     * Success.
     */
    200: InstallationUsage;
};

export type ReadInstallationUsageResponse = ReadInstallationUsageResponses[keyof ReadInstallationUsageResponses];

export type CreateInstallationTokenData = {
    body: InstallationTokenRequest;
    path?: never;
    query?: never;
    url: '/v1/Developer/Token';
};

export type CreateInstallationTokenErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `insufficient_scope`: The installation lacks a permission. `installation_not_accessible`: No live installation of your apps has this id. `installation_suspended`: The installation is suspended.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'insufficient_scope' | 'installation_not_accessible' | 'installation_suspended';
        /**
         * The permissions that the request needs.
         */
        required?: Array<string>;
        /**
         * The permissions that there are.
         */
        granted?: Array<string>;
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateInstallationTokenError = CreateInstallationTokenErrors[keyof CreateInstallationTokenErrors];

export type CreateInstallationTokenResponses = {
    /**
     * Success.
     */
    200: IssuedInstallationToken;
};

export type CreateInstallationTokenResponse = CreateInstallationTokenResponses[keyof CreateInstallationTokenResponses];

export type RevokeTokensData = {
    body: Revocation;
    path?: never;
    query?: never;
    url: '/v1/Developer/Token/Revoke';
};

export type RevokeTokensErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `installation_not_accessible`: No live installation of your apps has this id.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'installation_not_accessible';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type RevokeTokensError = RevokeTokensErrors[keyof RevokeTokensErrors];

export type RevokeTokensResponses = {
    /**
     * Success.
     */
    200: Revoked;
};

export type RevokeTokensResponse = RevokeTokensResponses[keyof RevokeTokensResponses];

export type IntrospectTokenData = {
    body: IntrospectionRequest;
    path?: never;
    query?: never;
    url: '/v1/Developer/Token/Introspect';
};

export type IntrospectTokenErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type IntrospectTokenError = IntrospectTokenErrors[keyof IntrospectTokenErrors];

export type IntrospectTokenResponses = {
    /**
     * Success.
     */
    200: Introspection;
};

export type IntrospectTokenResponse = IntrospectTokenResponses[keyof IntrospectTokenResponses];

export type ReadOwnDeveloperData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/Developer';
};

export type ReadOwnDeveloperErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadOwnDeveloperError = ReadOwnDeveloperErrors[keyof ReadOwnDeveloperErrors];

export type ReadOwnDeveloperResponses = {
    /**
     * Success.
     */
    200: OwnDeveloper;
};

export type ReadOwnDeveloperResponse = ReadOwnDeveloperResponses[keyof ReadOwnDeveloperResponses];

export type ListOwnCredentialsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Developer/Credentials';
};

export type ListOwnCredentialsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListOwnCredentialsError = ListOwnCredentialsErrors[keyof ListOwnCredentialsErrors];

export type ListOwnCredentialsResponses = {
    /**
     * Success.
     */
    200: Array<Credential>;
};

export type ListOwnCredentialsResponse = ListOwnCredentialsResponses[keyof ListOwnCredentialsResponses];

export type CreateOwnCredentialData = {
    body: CredentialRequest;
    path?: never;
    query?: never;
    url: '/v1/Developer/Credentials';
};

export type CreateOwnCredentialErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `conflict`: The change conflicts with another one. `already_exists`: It exists already.
     */
    409: Problem & {
        code: 'conflict' | 'already_exists';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateOwnCredentialError = CreateOwnCredentialErrors[keyof CreateOwnCredentialErrors];

export type CreateOwnCredentialResponses = {
    /**
     * Success.
     */
    201: CreatedCredential;
};

export type CreateOwnCredentialResponse = CreateOwnCredentialResponses[keyof CreateOwnCredentialResponses];

export type DeleteOwnCredentialData = {
    body?: never;
    path: {
        /**
         * Id of the credential.
         */
        credentialId: string;
    };
    query?: never;
    url: '/v1/Developer/Credentials/{credentialId}';
};

export type DeleteOwnCredentialErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteOwnCredentialError = DeleteOwnCredentialErrors[keyof DeleteOwnCredentialErrors];

export type DeleteOwnCredentialResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteOwnCredentialResponse = DeleteOwnCredentialResponses[keyof DeleteOwnCredentialResponses];

export type ListDeveloperMembersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Developer/Members';
};

export type ListDeveloperMembersErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListDeveloperMembersError = ListDeveloperMembersErrors[keyof ListDeveloperMembersErrors];

export type ListDeveloperMembersResponses = {
    /**
     * Success.
     */
    200: Array<DeveloperMember>;
};

export type ListDeveloperMembersResponse = ListDeveloperMembersResponses[keyof ListDeveloperMembersResponses];

export type CreateDeveloperInvitationData = {
    body: DeveloperInvitationRequest;
    path?: never;
    query?: never;
    url: '/v1/Developer/Members';
};

export type CreateDeveloperInvitationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateDeveloperInvitationError = CreateDeveloperInvitationErrors[keyof CreateDeveloperInvitationErrors];

export type CreateDeveloperInvitationResponses = {
    /**
     * Success.
     */
    201: CreatedInvitation;
};

export type CreateDeveloperInvitationResponse = CreateDeveloperInvitationResponses[keyof CreateDeveloperInvitationResponses];

export type DeleteDeveloperMemberData = {
    body?: never;
    path: {
        /**
         * Id of the person.
         */
        userId: string;
    };
    query?: never;
    url: '/v1/Developer/Members/{userId}';
};

export type DeleteDeveloperMemberErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteDeveloperMemberError = DeleteDeveloperMemberErrors[keyof DeleteDeveloperMemberErrors];

export type DeleteDeveloperMemberResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteDeveloperMemberResponse = DeleteDeveloperMemberResponses[keyof DeleteDeveloperMemberResponses];

export type ChangeDeveloperMemberData = {
    body: DeveloperMemberChange;
    path: {
        /**
         * Id of the person.
         */
        userId: string;
    };
    query?: never;
    url: '/v1/Developer/Members/{userId}';
};

export type ChangeDeveloperMemberErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one. `email_not_proved`: Nobody has proved that the email is theirs.
     */
    409: Problem & {
        code: 'conflict' | 'email_not_proved';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ChangeDeveloperMemberError = ChangeDeveloperMemberErrors[keyof ChangeDeveloperMemberErrors];

export type ChangeDeveloperMemberResponses = {
    /**
     * Success.
     */
    200: DeveloperMember;
};

export type ChangeDeveloperMemberResponse = ChangeDeveloperMemberResponses[keyof ChangeDeveloperMemberResponses];

export type ListOwnAppsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Developer/Apps';
};

export type ListOwnAppsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListOwnAppsError = ListOwnAppsErrors[keyof ListOwnAppsErrors];

export type ListOwnAppsResponses = {
    /**
     * Success.
     */
    200: Array<App>;
};

export type ListOwnAppsResponse = ListOwnAppsResponses[keyof ListOwnAppsResponses];

export type CreateAppData = {
    body: AppDefinition;
    path?: never;
    query?: {
        /**
         * `true`: return what would change, and change nothing.
         */
        dryRun?: boolean;
    };
    url: '/v1/Developer/Apps';
};

export type CreateAppErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `already_exists`: It exists already.
     */
    409: Problem & {
        code: 'already_exists';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateAppError = CreateAppErrors[keyof CreateAppErrors];

export type CreateAppResponses = {
    /**
     * Success.
     */
    200: DefinitionChanges;
    /**
     * Success.
     */
    201: App;
};

export type CreateAppResponse = CreateAppResponses[keyof CreateAppResponses];

export type DeleteAppData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}';
};

export type DeleteAppErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `app_in_use`: The app is installed.
     */
    409: Problem & {
        code: 'app_in_use';
        /**
         * How many live installations the app has.
         */
        installations?: number;
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteAppError = DeleteAppErrors[keyof DeleteAppErrors];

export type DeleteAppResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteAppResponse = DeleteAppResponses[keyof DeleteAppResponses];

export type ReadOwnAppData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}';
};

export type ReadOwnAppErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadOwnAppError = ReadOwnAppErrors[keyof ReadOwnAppErrors];

export type ReadOwnAppResponses = {
    /**
     * Success.
     */
    200: App;
};

export type ReadOwnAppResponse = ReadOwnAppResponses[keyof ReadOwnAppResponses];

export type ReplaceAppData = {
    body: AppDefinition;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: {
        /**
         * `true`: return what would change, and change nothing.
         */
        dryRun?: boolean;
    };
    url: '/v1/Developer/Apps/{appId}';
};

export type ReplaceAppErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `already_exists`: It exists already. `version_required`: The change needs a new version. `version_used`: The version was used with another definition.
     */
    409: Problem & {
        code: 'already_exists' | 'version_required' | 'version_used';
        /**
         * The changes that need a new version.
         */
        changes?: Array<DefinitionChange>;
        /**
         * Always true.
         */
        breaking?: boolean;
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReplaceAppError = ReplaceAppErrors[keyof ReplaceAppErrors];

export type ReplaceAppResponses = {
    /**
     * Success.
     */
    200: AppOrChanges;
};

export type ReplaceAppResponse = ReplaceAppResponses[keyof ReplaceAppResponses];

export type ShowAppData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/List';
};

export type ShowAppErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ShowAppError = ShowAppErrors[keyof ShowAppErrors];

export type ShowAppResponses = {
    /**
     * Success.
     */
    200: App;
};

export type ShowAppResponse = ShowAppResponses[keyof ShowAppResponses];

export type HideAppData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Unlist';
};

export type HideAppErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type HideAppError = HideAppErrors[keyof HideAppErrors];

export type HideAppResponses = {
    /**
     * Success.
     */
    200: App;
};

export type HideAppResponse = HideAppResponses[keyof HideAppResponses];

export type ReadVisibilityData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Visibility';
};

export type ReadVisibilityErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadVisibilityError = ReadVisibilityErrors[keyof ReadVisibilityErrors];

export type ReadVisibilityResponses = {
    /**
     * Success.
     */
    200: AppVisibility;
};

export type ReadVisibilityResponse = ReadVisibilityResponses[keyof ReadVisibilityResponses];

export type ReplaceVisibilityData = {
    body: VisibilityRequest;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Visibility';
};

export type ReplaceVisibilityErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReplaceVisibilityError = ReplaceVisibilityErrors[keyof ReplaceVisibilityErrors];

export type ReplaceVisibilityResponses = {
    /**
     * Success.
     */
    200: AppVisibility;
};

export type ReplaceVisibilityResponse = ReplaceVisibilityResponses[keyof ReplaceVisibilityResponses];

export type ListInstallLinksData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Developer/Apps/{appId}/InstallLinks';
};

export type ListInstallLinksErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListInstallLinksError = ListInstallLinksErrors[keyof ListInstallLinksErrors];

export type ListInstallLinksResponses = {
    /**
     * Success.
     */
    200: Array<InstallLink>;
};

export type ListInstallLinksResponse = ListInstallLinksResponses[keyof ListInstallLinksResponses];

export type CreateInstallLinkData = {
    body: InstallLinkRequest;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/InstallLinks';
};

export type CreateInstallLinkErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateInstallLinkError = CreateInstallLinkErrors[keyof CreateInstallLinkErrors];

export type CreateInstallLinkResponses = {
    /**
     * Success.
     */
    201: CreatedInstallLink;
};

export type CreateInstallLinkResponse = CreateInstallLinkResponses[keyof CreateInstallLinkResponses];

export type DeleteInstallLinkData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of the install link.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/InstallLinks/{id}';
};

export type DeleteInstallLinkErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteInstallLinkError = DeleteInstallLinkErrors[keyof DeleteInstallLinkErrors];

export type DeleteInstallLinkResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteInstallLinkResponse = DeleteInstallLinkResponses[keyof DeleteInstallLinkResponses];

export type ReadAppDefinitionData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Definition';
};

export type ReadAppDefinitionErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadAppDefinitionError = ReadAppDefinitionErrors[keyof ReadAppDefinitionErrors];

export type ReadAppDefinitionResponses = {
    /**
     * Success.
     */
    200: DefinitionRecord;
};

export type ReadAppDefinitionResponse = ReadAppDefinitionResponses[keyof ReadAppDefinitionResponses];

export type ListAppVersionsData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Developer/Apps/{appId}/Versions';
};

export type ListAppVersionsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListAppVersionsError = ListAppVersionsErrors[keyof ListAppVersionsErrors];

export type ListAppVersionsResponses = {
    /**
     * Success.
     */
    200: Array<AppVersion>;
};

export type ListAppVersionsResponse = ListAppVersionsResponses[keyof ListAppVersionsResponses];

export type ReadAppVersionData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * A version of the app.
         */
        version: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Versions/{version}';
};

export type ReadAppVersionErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadAppVersionError = ReadAppVersionErrors[keyof ReadAppVersionErrors];

export type ReadAppVersionResponses = {
    /**
     * Success.
     */
    200: AppVersion;
};

export type ReadAppVersionResponse = ReadAppVersionResponses[keyof ReadAppVersionResponses];

export type ReadAppVersionChangesData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * A version of the app.
         */
        version: string;
    };
    query: {
        /**
         * The version to compare with.
         */
        from: string;
    };
    url: '/v1/Developer/Apps/{appId}/Versions/{version}/Changes';
};

export type ReadAppVersionChangesErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadAppVersionChangesError = ReadAppVersionChangesErrors[keyof ReadAppVersionChangesErrors];

export type ReadAppVersionChangesResponses = {
    /**
     * Success.
     */
    200: DefinitionChanges;
};

export type ReadAppVersionChangesResponse = ReadAppVersionChangesResponses[keyof ReadAppVersionChangesResponses];

export type DeleteTermsDocumentData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: {
        /**
         * Publish the change with this new version.
         */
        version?: string;
    };
    url: '/v1/Developer/Apps/{appId}/TermsDocument';
};

export type DeleteTermsDocumentErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `version_required`: The change needs a new version. `version_used`: The version was used with another definition.
     */
    409: Problem & {
        code: 'version_required' | 'version_used';
        /**
         * The changes that need a new version.
         */
        changes?: Array<DefinitionChange>;
        /**
         * Always true.
         */
        breaking?: boolean;
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteTermsDocumentError = DeleteTermsDocumentErrors[keyof DeleteTermsDocumentErrors];

export type DeleteTermsDocumentResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteTermsDocumentResponse = DeleteTermsDocumentResponses[keyof DeleteTermsDocumentResponses];

export type ReadOwnTermsDocumentData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/TermsDocument';
};

export type ReadOwnTermsDocumentErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadOwnTermsDocumentError = ReadOwnTermsDocumentErrors[keyof ReadOwnTermsDocumentErrors];

export type ReadOwnTermsDocumentResponses = {
    /**
     * Success.
     */
    200: TermsFile;
};

export type ReadOwnTermsDocumentResponse = ReadOwnTermsDocumentResponses[keyof ReadOwnTermsDocumentResponses];

export type ReplaceTermsDocumentData = {
    body: TermsFile;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: {
        /**
         * Publish the change with this new version.
         */
        version?: string;
    };
    url: '/v1/Developer/Apps/{appId}/TermsDocument';
};

export type ReplaceTermsDocumentErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `version_required`: The change needs a new version. `version_used`: The version was used with another definition.
     */
    409: Problem & {
        code: 'version_required' | 'version_used';
        /**
         * The changes that need a new version.
         */
        changes?: Array<DefinitionChange>;
        /**
         * Always true.
         */
        breaking?: boolean;
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReplaceTermsDocumentError = ReplaceTermsDocumentErrors[keyof ReplaceTermsDocumentErrors];

export type ReplaceTermsDocumentResponses = {
    /**
     * Success.
     */
    200: TermsDocument;
};

export type ReplaceTermsDocumentResponse = ReplaceTermsDocumentResponses[keyof ReplaceTermsDocumentResponses];

export type DeleteTermsPdfData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/TermsDocument/Pdf';
};

export type DeleteTermsPdfErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteTermsPdfError = DeleteTermsPdfErrors[keyof DeleteTermsPdfErrors];

export type DeleteTermsPdfResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteTermsPdfResponse = DeleteTermsPdfResponses[keyof DeleteTermsPdfResponses];

export type ReadOwnTermsPdfData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/TermsDocument/Pdf';
};

export type ReadOwnTermsPdfErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadOwnTermsPdfError = ReadOwnTermsPdfErrors[keyof ReadOwnTermsPdfErrors];

export type ReadOwnTermsPdfResponses = {
    /**
     * Success.
     */
    200: TermsFile;
};

export type ReadOwnTermsPdfResponse = ReadOwnTermsPdfResponses[keyof ReadOwnTermsPdfResponses];

export type ReplaceTermsPdfData = {
    body: TermsFile;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/TermsDocument/Pdf';
};

export type ReplaceTermsPdfErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReplaceTermsPdfError = ReplaceTermsPdfErrors[keyof ReplaceTermsPdfErrors];

export type ReplaceTermsPdfResponses = {
    /**
     * Success.
     */
    200: TermsDocument;
};

export type ReplaceTermsPdfResponse = ReplaceTermsPdfResponses[keyof ReplaceTermsPdfResponses];

export type ReadAppListingData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Listing';
};

export type ReadAppListingErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadAppListingError = ReadAppListingErrors[keyof ReadAppListingErrors];

export type ReadAppListingResponses = {
    /**
     * Success.
     */
    200: AppListingRecord;
};

export type ReadAppListingResponse = ReadAppListingResponses[keyof ReadAppListingResponses];

export type ReplaceAppListingData = {
    body: AppListing;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Listing';
};

export type ReplaceAppListingErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReplaceAppListingError = ReplaceAppListingErrors[keyof ReplaceAppListingErrors];

export type ReplaceAppListingResponses = {
    /**
     * Success.
     */
    200: AppListingRecord;
};

export type ReplaceAppListingResponse = ReplaceAppListingResponses[keyof ReplaceAppListingResponses];

export type DeleteIconData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Icon';
};

export type DeleteIconErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteIconError = DeleteIconErrors[keyof DeleteIconErrors];

export type DeleteIconResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteIconResponse = DeleteIconResponses[keyof DeleteIconResponses];

export type ReplaceIconData = {
    body: PictureFile;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Icon';
};

export type ReplaceIconErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReplaceIconError = ReplaceIconErrors[keyof ReplaceIconErrors];

export type ReplaceIconResponses = {
    /**
     * Success.
     */
    200: AppIcon;
};

export type ReplaceIconResponse = ReplaceIconResponses[keyof ReplaceIconResponses];

export type CreateScreenshotData = {
    body: PictureFile;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query: {
        /**
         * What stands for the picture where it is not seen (1 to 200 characters).
         */
        alt: string;
        /**
         * Under the picture (up to 200 characters); left out: none.
         */
        caption?: string;
    };
    url: '/v1/Developer/Apps/{appId}/Screenshots';
};

export type CreateScreenshotErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateScreenshotError = CreateScreenshotErrors[keyof CreateScreenshotErrors];

export type CreateScreenshotResponses = {
    /**
     * Success.
     */
    201: AppScreenshot;
};

export type CreateScreenshotResponse = CreateScreenshotResponses[keyof CreateScreenshotResponses];

export type DeleteScreenshotData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of a screenshot.
         */
        screenshotId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Screenshots/{screenshotId}';
};

export type DeleteScreenshotErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteScreenshotError = DeleteScreenshotErrors[keyof DeleteScreenshotErrors];

export type DeleteScreenshotResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteScreenshotResponse = DeleteScreenshotResponses[keyof DeleteScreenshotResponses];

export type ChangeScreenshotData = {
    body: ScreenshotChange;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of a screenshot.
         */
        screenshotId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Screenshots/{screenshotId}';
};

export type ChangeScreenshotErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ChangeScreenshotError = ChangeScreenshotErrors[keyof ChangeScreenshotErrors];

export type ChangeScreenshotResponses = {
    /**
     * Success.
     */
    200: AppScreenshot;
};

export type ChangeScreenshotResponse = ChangeScreenshotResponses[keyof ChangeScreenshotResponses];

export type ReplaceScreenshotOrderData = {
    body: ScreenshotOrder;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Screenshots/Order';
};

export type ReplaceScreenshotOrderErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReplaceScreenshotOrderError = ReplaceScreenshotOrderErrors[keyof ReplaceScreenshotOrderErrors];

export type ReplaceScreenshotOrderResponses = {
    /**
     * Success.
     */
    200: Array<AppScreenshot>;
};

export type ReplaceScreenshotOrderResponse = ReplaceScreenshotOrderResponses[keyof ReplaceScreenshotOrderResponses];

export type ListDeveloperAuditEntriesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only by actors of this kind.
         */
        actorKind?: 'developer' | 'user' | 'operator' | 'installation' | 'system';
        /**
         * Only this action.
         */
        action?: string;
        /**
         * Only on things of this kind.
         */
        subjectKind?: string;
        /**
         * Only on the thing with this id.
         */
        subjectId?: string;
        /**
         * Only from this moment on.
         */
        since?: string;
        /**
         * Only before this moment.
         */
        until?: string;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Developer/Audit';
};

export type ListDeveloperAuditEntriesErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListDeveloperAuditEntriesError = ListDeveloperAuditEntriesErrors[keyof ListDeveloperAuditEntriesErrors];

export type ListDeveloperAuditEntriesResponses = {
    /**
     * Success.
     */
    200: Array<AuditRecord>;
};

export type ListDeveloperAuditEntriesResponse = ListDeveloperAuditEntriesResponses[keyof ListDeveloperAuditEntriesResponses];

export type ListEventsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only events after this position. Default: from the oldest that is kept.
         */
        after?: number;
        /**
         * Only events after those that this consumer has acknowledged; not with `after`.
         */
        consumer?: string;
        /**
         * Only of this app.
         */
        appId?: string;
        /**
         * Only of this installation.
         */
        installationId?: string;
        /**
         * Only of this type; several as `type=...&type=...`.
         */
        type?: Array<EventTypeName>;
        /**
         * Seconds to wait for an event when there is none. Default: 0.
         */
        wait?: number;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
    };
    url: '/v1/Developer/Events';
};

export type ListEventsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `cursor_expired`: The cursor is too old.
     */
    410: Problem & {
        code: 'cursor_expired';
        /**
         * Of the event log: the oldest position that is kept.
         */
        oldestPosition?: number;
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListEventsError = ListEventsErrors[keyof ListEventsErrors];

export type ListEventsResponses = {
    /**
     * Success.
     */
    200: Array<Event>;
};

export type ListEventsResponse = ListEventsResponses[keyof ListEventsResponses];

export type ListEventConsumersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Developer/EventConsumers';
};

export type ListEventConsumersErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListEventConsumersError = ListEventConsumersErrors[keyof ListEventConsumersErrors];

export type ListEventConsumersResponses = {
    /**
     * Success.
     */
    200: Array<EventConsumer>;
};

export type ListEventConsumersResponse = ListEventConsumersResponses[keyof ListEventConsumersResponses];

export type DeleteEventConsumerData = {
    body?: never;
    path: {
        /**
         * Your name for it; it has 1 to 64 lower-case letters, digits, hyphens, dots and underscores, and is neither . nor ...
         */
        name: string;
    };
    query?: never;
    url: '/v1/Developer/EventConsumers/{name}';
};

export type DeleteEventConsumerErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteEventConsumerError = DeleteEventConsumerErrors[keyof DeleteEventConsumerErrors];

export type DeleteEventConsumerResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteEventConsumerResponse = DeleteEventConsumerResponses[keyof DeleteEventConsumerResponses];

export type ReplaceEventConsumerData = {
    body: EventConsumerPosition;
    path: {
        /**
         * Your name for it; it has 1 to 64 lower-case letters, digits, hyphens, dots and underscores, and is neither . nor ...
         */
        name: string;
    };
    query?: never;
    url: '/v1/Developer/EventConsumers/{name}';
};

export type ReplaceEventConsumerErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `cursor_expired`: The cursor is too old.
     */
    410: Problem & {
        code: 'cursor_expired';
        /**
         * Of the event log: the oldest position that is kept.
         */
        oldestPosition?: number;
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReplaceEventConsumerError = ReplaceEventConsumerErrors[keyof ReplaceEventConsumerErrors];

export type ReplaceEventConsumerResponses = {
    /**
     * Success.
     */
    200: EventConsumer;
    /**
     * Success.
     */
    201: EventConsumer;
};

export type ReplaceEventConsumerResponse = ReplaceEventConsumerResponses[keyof ReplaceEventConsumerResponses];

export type ListWebhooksData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Developer/Apps/{appId}/Webhooks';
};

export type ListWebhooksErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListWebhooksError = ListWebhooksErrors[keyof ListWebhooksErrors];

export type ListWebhooksResponses = {
    /**
     * Success.
     */
    200: Array<Webhook>;
};

export type ListWebhooksResponse = ListWebhooksResponses[keyof ListWebhooksResponses];

export type CreateWebhookData = {
    body: WebhookRequest;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Webhooks';
};

export type CreateWebhookErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateWebhookError = CreateWebhookErrors[keyof CreateWebhookErrors];

export type CreateWebhookResponses = {
    /**
     * Success.
     */
    201: WebhookWithSecret;
};

export type CreateWebhookResponse = CreateWebhookResponses[keyof CreateWebhookResponses];

export type DeleteWebhookData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of the webhook endpoint.
         */
        endpointId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}';
};

export type DeleteWebhookErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteWebhookError = DeleteWebhookErrors[keyof DeleteWebhookErrors];

export type DeleteWebhookResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteWebhookResponse = DeleteWebhookResponses[keyof DeleteWebhookResponses];

export type ReadWebhookData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of the webhook endpoint.
         */
        endpointId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}';
};

export type ReadWebhookErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadWebhookError = ReadWebhookErrors[keyof ReadWebhookErrors];

export type ReadWebhookResponses = {
    /**
     * Success.
     */
    200: Webhook;
};

export type ReadWebhookResponse = ReadWebhookResponses[keyof ReadWebhookResponses];

export type ChangeWebhookData = {
    body: WebhookPatch;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of the webhook endpoint.
         */
        endpointId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}';
};

export type ChangeWebhookErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ChangeWebhookError = ChangeWebhookErrors[keyof ChangeWebhookErrors];

export type ChangeWebhookResponses = {
    /**
     * Success.
     */
    200: Webhook;
};

export type ChangeWebhookResponse = ChangeWebhookResponses[keyof ChangeWebhookResponses];

export type RotateWebhookSecretData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of the webhook endpoint.
         */
        endpointId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/RotateSecret';
};

export type RotateWebhookSecretErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type RotateWebhookSecretError = RotateWebhookSecretErrors[keyof RotateWebhookSecretErrors];

export type RotateWebhookSecretResponses = {
    /**
     * Success.
     */
    200: WebhookWithSecret;
};

export type RotateWebhookSecretResponse = RotateWebhookSecretResponses[keyof RotateWebhookSecretResponses];

export type TestWebhookData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of the webhook endpoint.
         */
        endpointId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/Test';
};

export type TestWebhookErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type TestWebhookError = TestWebhookErrors[keyof TestWebhookErrors];

export type TestWebhookResponses = {
    /**
     * Success.
     */
    202: WebhookTest;
};

export type TestWebhookResponse = TestWebhookResponses[keyof TestWebhookResponses];

export type EnableWebhookData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of the webhook endpoint.
         */
        endpointId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/Enable';
};

export type EnableWebhookErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type EnableWebhookError = EnableWebhookErrors[keyof EnableWebhookErrors];

export type EnableWebhookResponses = {
    /**
     * Success.
     */
    200: Webhook;
};

export type EnableWebhookResponse = EnableWebhookResponses[keyof EnableWebhookResponses];

export type DisableWebhookData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of the webhook endpoint.
         */
        endpointId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/Disable';
};

export type DisableWebhookErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DisableWebhookError = DisableWebhookErrors[keyof DisableWebhookErrors];

export type DisableWebhookResponses = {
    /**
     * Success.
     */
    200: Webhook;
};

export type DisableWebhookResponse = DisableWebhookResponses[keyof DisableWebhookResponses];

export type ListWebhookDeliveriesData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of the webhook endpoint.
         */
        endpointId: string;
    };
    query?: {
        /**
         * Only with this status.
         */
        status?: WebhookDeliveryStatus;
        /**
         * Only of events of this type.
         */
        type?: EventTypeName;
        /**
         * Only of events of this installation.
         */
        installationId?: string;
        /**
         * Only those made from this moment on.
         */
        since?: string;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/Deliveries';
};

export type ListWebhookDeliveriesErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListWebhookDeliveriesError = ListWebhookDeliveriesErrors[keyof ListWebhookDeliveriesErrors];

export type ListWebhookDeliveriesResponses = {
    /**
     * Success.
     */
    200: Array<WebhookDelivery>;
};

export type ListWebhookDeliveriesResponse = ListWebhookDeliveriesResponses[keyof ListWebhookDeliveriesResponses];

export type ReadWebhookDeliveryData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of the webhook endpoint.
         */
        endpointId: string;
        /**
         * Id of the delivery.
         */
        deliveryId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/Deliveries/{deliveryId}';
};

export type ReadWebhookDeliveryErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadWebhookDeliveryError = ReadWebhookDeliveryErrors[keyof ReadWebhookDeliveryErrors];

export type ReadWebhookDeliveryResponses = {
    /**
     * Success.
     */
    200: WebhookDelivery;
};

export type ReadWebhookDeliveryResponse = ReadWebhookDeliveryResponses[keyof ReadWebhookDeliveryResponses];

export type ReplayWebhookDeliveryData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of the webhook endpoint.
         */
        endpointId: string;
        /**
         * Id of the delivery.
         */
        deliveryId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/Deliveries/{deliveryId}/Replay';
};

export type ReplayWebhookDeliveryErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReplayWebhookDeliveryError = ReplayWebhookDeliveryErrors[keyof ReplayWebhookDeliveryErrors];

export type ReplayWebhookDeliveryResponses = {
    /**
     * Success.
     */
    202: WebhookDelivery;
};

export type ReplayWebhookDeliveryResponse = ReplayWebhookDeliveryResponses[keyof ReplayWebhookDeliveryResponses];

export type RecoverWebhookData = {
    body: WebhookRecovery;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
        /**
         * Id of the webhook endpoint.
         */
        endpointId: string;
    };
    query?: never;
    url: '/v1/Developer/Apps/{appId}/Webhooks/{endpointId}/Recover';
};

export type RecoverWebhookErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type RecoverWebhookError = RecoverWebhookErrors[keyof RecoverWebhookErrors];

export type RecoverWebhookResponses = {
    /**
     * Success.
     */
    202: WebhookRecovered;
};

export type RecoverWebhookResponse = RecoverWebhookResponses[keyof RecoverWebhookResponses];

export type ListDeveloperInvitationsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Developer/Invitations';
};

export type ListDeveloperInvitationsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListDeveloperInvitationsError = ListDeveloperInvitationsErrors[keyof ListDeveloperInvitationsErrors];

export type ListDeveloperInvitationsResponses = {
    /**
     * Success.
     */
    200: Array<DeveloperInvitation>;
};

export type ListDeveloperInvitationsResponse = ListDeveloperInvitationsResponses[keyof ListDeveloperInvitationsResponses];

export type DeleteDeveloperInvitationData = {
    body?: never;
    path: {
        /**
         * Id of the invitation.
         */
        invitationId: string;
    };
    query?: never;
    url: '/v1/Developer/Invitations/{invitationId}';
};

export type DeleteDeveloperInvitationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteDeveloperInvitationError = DeleteDeveloperInvitationErrors[keyof DeleteDeveloperInvitationErrors];

export type DeleteDeveloperInvitationResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteDeveloperInvitationResponse = DeleteDeveloperInvitationResponses[keyof DeleteDeveloperInvitationResponses];

export type ReadOwnUserData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/Account';
};

export type ReadOwnUserErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadOwnUserError = ReadOwnUserErrors[keyof ReadOwnUserErrors];

export type ReadOwnUserResponses = {
    /**
     * Success.
     */
    200: OwnUser;
};

export type ReadOwnUserResponse = ReadOwnUserResponses[keyof ReadOwnUserResponses];

export type ChangeOwnUserData = {
    body: OwnUserChange;
    path?: never;
    query?: never;
    url: '/v1/Account';
};

export type ChangeOwnUserErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ChangeOwnUserError = ChangeOwnUserErrors[keyof ChangeOwnUserErrors];

export type ChangeOwnUserResponses = {
    /**
     * Success.
     */
    200: OwnUser;
};

export type ChangeOwnUserResponse = ChangeOwnUserResponses[keyof ChangeOwnUserResponses];

export type ExportOwnDataData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/Account/Export';
};

export type ExportOwnDataErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ExportOwnDataError = ExportOwnDataErrors[keyof ExportOwnDataErrors];

export type ExportOwnDataResponses = {
    /**
     * Success.
     */
    200: OwnData;
};

export type ExportOwnDataResponse = ExportOwnDataResponses[keyof ExportOwnDataResponses];

export type DeleteOwnUserData = {
    body: OwnRemoval;
    path?: never;
    query?: never;
    url: '/v1/Account/Remove';
};

export type DeleteOwnUserErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `password_login_off`: Users sign in by single sign-on.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'password_login_off';
    };
    /**
     * `conflict`: The change conflicts with another one. `operator_needed`: The marketplace needs this operator.
     */
    409: Problem & {
        code: 'conflict' | 'operator_needed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteOwnUserError = DeleteOwnUserErrors[keyof DeleteOwnUserErrors];

export type DeleteOwnUserResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteOwnUserResponse = DeleteOwnUserResponses[keyof DeleteOwnUserResponses];

export type CreateEmailChangeData = {
    body: EmailChangeRequest;
    path?: never;
    query?: never;
    url: '/v1/Account/EmailChange';
};

export type CreateEmailChangeErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `password_login_off`: Users sign in by single sign-on.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'password_login_off';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateEmailChangeError = CreateEmailChangeErrors[keyof CreateEmailChangeErrors];

export type CreateEmailChangeResponses = {
    /**
     * Success.
     */
    202: EmailChangeRequested;
};

export type CreateEmailChangeResponse = CreateEmailChangeResponses[keyof CreateEmailChangeResponses];

export type ReadSecondFactorData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/Account/SecondFactor';
};

export type ReadSecondFactorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadSecondFactorError = ReadSecondFactorErrors[keyof ReadSecondFactorErrors];

export type ReadSecondFactorResponses = {
    /**
     * Success.
     */
    200: SecondFactor;
};

export type ReadSecondFactorResponse = ReadSecondFactorResponses[keyof ReadSecondFactorResponses];

export type CreateSecondFactorData = {
    body: FactorPassword;
    path?: never;
    query?: never;
    url: '/v1/Account/SecondFactor';
};

export type CreateSecondFactorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `password_login_off`: Users sign in by single sign-on.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'password_login_off';
    };
    /**
     * `already_exists`: It exists already.
     */
    409: Problem & {
        code: 'already_exists';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateSecondFactorError = CreateSecondFactorErrors[keyof CreateSecondFactorErrors];

export type CreateSecondFactorResponses = {
    /**
     * Success.
     */
    200: BegunFactor;
};

export type CreateSecondFactorResponse = CreateSecondFactorResponses[keyof CreateSecondFactorResponses];

export type ConfirmSecondFactorData = {
    body: FactorCode;
    path?: never;
    query?: never;
    url: '/v1/Account/SecondFactor/Confirm';
};

export type ConfirmSecondFactorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `invalid_credentials`: The credentials are wrong. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'invalid_credentials' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `conflict`: The change conflicts with another one. `already_exists`: It exists already.
     */
    409: Problem & {
        code: 'conflict' | 'already_exists';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ConfirmSecondFactorError = ConfirmSecondFactorErrors[keyof ConfirmSecondFactorErrors];

export type ConfirmSecondFactorResponses = {
    /**
     * Success.
     */
    200: RecoveryCodes;
};

export type ConfirmSecondFactorResponse = ConfirmSecondFactorResponses[keyof ConfirmSecondFactorResponses];

export type CreateRecoveryCodesData = {
    body: FactorCode;
    path?: never;
    query?: never;
    url: '/v1/Account/SecondFactor/RecoveryCodes';
};

export type CreateRecoveryCodesErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `invalid_credentials`: The credentials are wrong. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'invalid_credentials' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateRecoveryCodesError = CreateRecoveryCodesErrors[keyof CreateRecoveryCodesErrors];

export type CreateRecoveryCodesResponses = {
    /**
     * Success.
     */
    200: RecoveryCodes;
};

export type CreateRecoveryCodesResponse = CreateRecoveryCodesResponses[keyof CreateRecoveryCodesResponses];

export type DeleteSecondFactorData = {
    body: FactorCode;
    path?: never;
    query?: never;
    url: '/v1/Account/SecondFactor/Remove';
};

export type DeleteSecondFactorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `invalid_credentials`: The credentials are wrong. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'invalid_credentials' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteSecondFactorError = DeleteSecondFactorErrors[keyof DeleteSecondFactorErrors];

export type DeleteSecondFactorResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteSecondFactorResponse = DeleteSecondFactorResponses[keyof DeleteSecondFactorResponses];

export type DeleteSessionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/Account/Sessions';
};

export type DeleteSessionsErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteSessionsError = DeleteSessionsErrors[keyof DeleteSessionsErrors];

export type DeleteSessionsResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteSessionsResponse = DeleteSessionsResponses[keyof DeleteSessionsResponses];

export type ListSessionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Account/Sessions';
};

export type ListSessionsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListSessionsError = ListSessionsErrors[keyof ListSessionsErrors];

export type ListSessionsResponses = {
    /**
     * Success.
     */
    200: Array<OwnSession>;
};

export type ListSessionsResponse = ListSessionsResponses[keyof ListSessionsResponses];

export type DeleteSessionData = {
    body?: never;
    path: {
        /**
         * As the list of sessions names it.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Account/Sessions/{id}';
};

export type DeleteSessionErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteSessionError = DeleteSessionErrors[keyof DeleteSessionErrors];

export type DeleteSessionResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteSessionResponse = DeleteSessionResponses[keyof DeleteSessionResponses];

export type ListNotificationsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Account/Notifications';
};

export type ListNotificationsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListNotificationsError = ListNotificationsErrors[keyof ListNotificationsErrors];

export type ListNotificationsResponses = {
    /**
     * Success.
     */
    200: Array<Notification>;
};

export type ListNotificationsResponse = ListNotificationsResponses[keyof ListNotificationsResponses];

export type MarkNotificationsReadData = {
    body: NotificationsRead;
    path?: never;
    query?: never;
    url: '/v1/Account/Notifications/Read';
};

export type MarkNotificationsReadErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type MarkNotificationsReadError = MarkNotificationsReadErrors[keyof MarkNotificationsReadErrors];

export type MarkNotificationsReadResponses = {
    /**
     * Success.
     */
    204: void;
};

export type MarkNotificationsReadResponse = MarkNotificationsReadResponses[keyof MarkNotificationsReadResponses];

export type ListPartyMembersData = {
    body?: never;
    path: {
        /**
         * Id of one of your accounts.
         */
        id: number;
    };
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Account/Parties/{id}/Members';
};

export type ListPartyMembersErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `admin_required`: Only an admin of the account may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'admin_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListPartyMembersError = ListPartyMembersErrors[keyof ListPartyMembersErrors];

export type ListPartyMembersResponses = {
    /**
     * Success.
     */
    200: Array<PartyMember>;
};

export type ListPartyMembersResponse = ListPartyMembersResponses[keyof ListPartyMembersResponses];

export type DeletePartyMemberData = {
    body?: never;
    path: {
        /**
         * Id of one of your accounts.
         */
        id: number;
        /**
         * Id of the member.
         */
        userId: string;
    };
    query?: never;
    url: '/v1/Account/Parties/{id}/Members/{userId}';
};

export type DeletePartyMemberErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `admin_required`: Only an admin of the account may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'admin_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeletePartyMemberError = DeletePartyMemberErrors[keyof DeletePartyMemberErrors];

export type DeletePartyMemberResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeletePartyMemberResponse = DeletePartyMemberResponses[keyof DeletePartyMemberResponses];

export type ChangePartyMemberData = {
    body: MemberChange;
    path: {
        /**
         * Id of one of your accounts.
         */
        id: number;
        /**
         * Id of the member.
         */
        userId: string;
    };
    query?: never;
    url: '/v1/Account/Parties/{id}/Members/{userId}';
};

export type ChangePartyMemberErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `admin_required`: Only an admin of the account may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'admin_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one. `email_not_proved`: Nobody has proved that the email is theirs.
     */
    409: Problem & {
        code: 'conflict' | 'email_not_proved';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ChangePartyMemberError = ChangePartyMemberErrors[keyof ChangePartyMemberErrors];

export type ChangePartyMemberResponses = {
    /**
     * Success.
     */
    200: Membership;
};

export type ChangePartyMemberResponse = ChangePartyMemberResponses[keyof ChangePartyMemberResponses];

export type ReadAccountAppData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        appId: string;
    };
    query?: never;
    url: '/v1/Account/Apps/{appId}';
};

export type ReadAccountAppErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadAccountAppError = ReadAccountAppErrors[keyof ReadAccountAppErrors];

export type ReadAccountAppResponses = {
    /**
     * Success.
     */
    200: PublicApp;
};

export type ReadAccountAppResponse = ReadAccountAppResponses[keyof ReadAccountAppResponses];

export type AcceptInstallLinkData = {
    body: InstallLinkUse;
    path?: never;
    query?: never;
    url: '/v1/Account/InstallLinks';
};

export type AcceptInstallLinkErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `invalid_link`: The link cannot be used any more.
     */
    410: Problem & {
        code: 'invalid_link';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type AcceptInstallLinkError = AcceptInstallLinkErrors[keyof AcceptInstallLinkErrors];

export type AcceptInstallLinkResponses = {
    /**
     * Success.
     */
    200: PublicApp;
};

export type AcceptInstallLinkResponse = AcceptInstallLinkResponses[keyof AcceptInstallLinkResponses];

export type ListAccountInstallationsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only of this account.
         */
        partyId?: number;
        /**
         * Only of this app.
         */
        appId?: string;
        /**
         * Only with this status. Default: `active` and `suspended`.
         */
        status?: InstallationStatus;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Account/Installations';
};

export type ListAccountInstallationsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListAccountInstallationsError = ListAccountInstallationsErrors[keyof ListAccountInstallationsErrors];

export type ListAccountInstallationsResponses = {
    /**
     * Success.
     */
    200: Array<AccountInstallation>;
};

export type ListAccountInstallationsResponse = ListAccountInstallationsResponses[keyof ListAccountInstallationsResponses];

export type InstallAppData = {
    body: InstallationRequest;
    path?: never;
    query?: never;
    url: '/v1/Account/Installations';
};

export type InstallAppErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `admin_required`: Only an admin of the account may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'admin_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one. `already_installed`: The app is installed already. `acknowledgement_changed`: What is to be accepted has changed.
     */
    409: Problem & {
        code: 'conflict' | 'already_installed' | 'acknowledgement_changed';
        /**
         * The installation that stands in the way.
         */
        installationId?: string;
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type InstallAppError = InstallAppErrors[keyof InstallAppErrors];

export type InstallAppResponses = {
    /**
     * Success.
     */
    201: AccountInstallation;
};

export type InstallAppResponse = InstallAppResponses[keyof InstallAppResponses];

export type UninstallAppData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: never;
    url: '/v1/Account/Installations/{installationId}';
};

export type UninstallAppErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `admin_required`: Only an admin of the account may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'admin_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type UninstallAppError = UninstallAppErrors[keyof UninstallAppErrors];

export type UninstallAppResponses = {
    /**
     * Success.
     */
    204: void;
};

export type UninstallAppResponse = UninstallAppResponses[keyof UninstallAppResponses];

export type ReadAccountInstallationData = {
    body?: never;
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: never;
    url: '/v1/Account/Installations/{installationId}';
};

export type ReadAccountInstallationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadAccountInstallationError = ReadAccountInstallationErrors[keyof ReadAccountInstallationErrors];

export type ReadAccountInstallationResponses = {
    /**
     * Success.
     */
    200: AccountInstallation;
};

export type ReadAccountInstallationResponse = ReadAccountInstallationResponses[keyof ReadAccountInstallationResponses];

export type ChangeUserSettingsData = {
    body: UserSettingsPatch;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: never;
    url: '/v1/Account/Installations/{installationId}/UserSettings';
};

export type ChangeUserSettingsErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `admin_required`: Only an admin of the account may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'admin_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ChangeUserSettingsError = ChangeUserSettingsErrors[keyof ChangeUserSettingsErrors];

export type ChangeUserSettingsResponses = {
    /**
     * Success.
     */
    200: AccountInstallation;
};

export type ChangeUserSettingsResponse = ChangeUserSettingsResponses[keyof ChangeUserSettingsResponses];

export type PreviewPurchaseOptionData = {
    body?: never;
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query: {
        /**
         * The purchase option to change to.
         */
        purchaseOptionId: string;
    };
    url: '/v1/Account/Installations/{installationId}/PurchaseOption';
};

export type PreviewPurchaseOptionErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type PreviewPurchaseOptionError = PreviewPurchaseOptionErrors[keyof PreviewPurchaseOptionErrors];

export type PreviewPurchaseOptionResponses = {
    /**
     * Success.
     */
    200: OptionChange;
};

export type PreviewPurchaseOptionResponse = PreviewPurchaseOptionResponses[keyof PreviewPurchaseOptionResponses];

export type ChangePurchaseOptionData = {
    body: OptionRequest;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: never;
    url: '/v1/Account/Installations/{installationId}/PurchaseOption';
};

export type ChangePurchaseOptionErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `admin_required`: Only an admin of the account may do this. `installation_suspended`: The installation is suspended.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'admin_required' | 'installation_suspended';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ChangePurchaseOptionError = ChangePurchaseOptionErrors[keyof ChangePurchaseOptionErrors];

export type ChangePurchaseOptionResponses = {
    /**
     * Success.
     */
    200: AccountInstallation;
};

export type ChangePurchaseOptionResponse = ChangePurchaseOptionResponses[keyof ChangePurchaseOptionResponses];

export type PreviewUpgradeData = {
    body?: never;
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: {
        /**
         * The purchase option to change to.
         */
        purchaseOptionId?: string;
    };
    url: '/v1/Account/Installations/{installationId}/Upgrade';
};

export type PreviewUpgradeErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type PreviewUpgradeError = PreviewUpgradeErrors[keyof PreviewUpgradeErrors];

export type PreviewUpgradeResponses = {
    /**
     * Success.
     */
    200: Upgrade;
};

export type PreviewUpgradeResponse = PreviewUpgradeResponses[keyof PreviewUpgradeResponses];

export type UpgradeInstallationData = {
    body: UpgradeRequest;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: never;
    url: '/v1/Account/Installations/{installationId}/Upgrade';
};

export type UpgradeInstallationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `admin_required`: Only an admin of the account may do this. `installation_suspended`: The installation is suspended.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'admin_required' | 'installation_suspended';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one. `acknowledgement_changed`: What is to be accepted has changed.
     */
    409: Problem & {
        code: 'conflict' | 'acknowledgement_changed';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type UpgradeInstallationError = UpgradeInstallationErrors[keyof UpgradeInstallationErrors];

export type UpgradeInstallationResponses = {
    /**
     * Success.
     */
    200: AccountInstallation;
};

export type UpgradeInstallationResponse = UpgradeInstallationResponses[keyof UpgradeInstallationResponses];

export type ListWaitingUpgradesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only of this account.
         */
        partyId?: number;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Account/Upgrades';
};

export type ListWaitingUpgradesErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListWaitingUpgradesError = ListWaitingUpgradesErrors[keyof ListWaitingUpgradesErrors];

export type ListWaitingUpgradesResponses = {
    /**
     * Success.
     */
    200: Array<WaitingUpgrade>;
};

export type ListWaitingUpgradesResponse = ListWaitingUpgradesResponses[keyof ListWaitingUpgradesResponses];

export type ReadAccountInstallationUsageData = {
    body?: never;
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: {
        /**
         * The first day, in UTC. Default: 29 days before `to`.
         */
        from?: string;
        /**
         * The last day, in UTC. Default: today.
         */
        to?: string;
    };
    url: '/v1/Account/Installations/{installationId}/Usage';
};

export type ReadAccountInstallationUsageErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadAccountInstallationUsageError = ReadAccountInstallationUsageErrors[keyof ReadAccountInstallationUsageErrors];

export type ReadAccountInstallationUsageResponses = {
    /**
     * Success.
     */
    200: InstallationUsage;
};

export type ReadAccountInstallationUsageResponse = ReadAccountInstallationUsageResponses[keyof ReadAccountInstallationUsageResponses];

export type ReadInstalledTermsDocumentData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: never;
    url: '/v1/Account/Installations/{installationId}/TermsDocument';
};

export type ReadInstalledTermsDocumentErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadInstalledTermsDocumentError = ReadInstalledTermsDocumentErrors[keyof ReadInstalledTermsDocumentErrors];

export type ReadInstalledTermsDocumentResponses = {
    /**
     * Success.
     */
    200: TermsFile;
};

export type ReadInstalledTermsDocumentResponse = ReadInstalledTermsDocumentResponses[keyof ReadInstalledTermsDocumentResponses];

export type ReadUpgradeTermsDocumentData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: never;
    url: '/v1/Account/Installations/{installationId}/Upgrade/TermsDocument';
};

export type ReadUpgradeTermsDocumentErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadUpgradeTermsDocumentError = ReadUpgradeTermsDocumentErrors[keyof ReadUpgradeTermsDocumentErrors];

export type ReadUpgradeTermsDocumentResponses = {
    /**
     * Success.
     */
    200: TermsFile;
};

export type ReadUpgradeTermsDocumentResponse = ReadUpgradeTermsDocumentResponses[keyof ReadUpgradeTermsDocumentResponses];

export type ReadInstalledTermsPdfData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: never;
    url: '/v1/Account/Installations/{installationId}/TermsDocument/Pdf';
};

export type ReadInstalledTermsPdfErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadInstalledTermsPdfError = ReadInstalledTermsPdfErrors[keyof ReadInstalledTermsPdfErrors];

export type ReadInstalledTermsPdfResponses = {
    /**
     * Success.
     */
    200: TermsFile;
};

export type ReadInstalledTermsPdfResponse = ReadInstalledTermsPdfResponses[keyof ReadInstalledTermsPdfResponses];

export type ReadUpgradeTermsPdfData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: never;
    url: '/v1/Account/Installations/{installationId}/Upgrade/TermsDocument/Pdf';
};

export type ReadUpgradeTermsPdfErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadUpgradeTermsPdfError = ReadUpgradeTermsPdfErrors[keyof ReadUpgradeTermsPdfErrors];

export type ReadUpgradeTermsPdfResponses = {
    /**
     * Success.
     */
    200: TermsFile;
};

export type ReadUpgradeTermsPdfResponse = ReadUpgradeTermsPdfResponses[keyof ReadUpgradeTermsPdfResponses];

export type ListAccountAcceptancesData = {
    body?: never;
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
    };
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Account/Installations/{installationId}/Acceptances';
};

export type ListAccountAcceptancesErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListAccountAcceptancesError = ListAccountAcceptancesErrors[keyof ListAccountAcceptancesErrors];

export type ListAccountAcceptancesResponses = {
    /**
     * Success.
     */
    200: Array<Acceptance>;
};

export type ListAccountAcceptancesResponse = ListAccountAcceptancesResponses[keyof ListAccountAcceptancesResponses];

export type ReadAccountAcceptedTermsDocumentData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        installationId: string;
        /**
         * Hash of the terms document, in hex.
         */
        sha256: string;
    };
    query?: never;
    url: '/v1/Account/Installations/{installationId}/Acceptances/{sha256}/TermsDocument';
};

export type ReadAccountAcceptedTermsDocumentErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadAccountAcceptedTermsDocumentError = ReadAccountAcceptedTermsDocumentErrors[keyof ReadAccountAcceptedTermsDocumentErrors];

export type ReadAccountAcceptedTermsDocumentResponses = {
    /**
     * Success.
     */
    200: TermsFile;
};

export type ReadAccountAcceptedTermsDocumentResponse = ReadAccountAcceptedTermsDocumentResponses[keyof ReadAccountAcceptedTermsDocumentResponses];

export type ListInstallRequestsData = {
    body?: never;
    path: {
        /**
         * Id of one of your accounts.
         */
        id: number;
    };
    query?: {
        /**
         * Only with this status.
         */
        status?: InstallRequestStatus;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Account/Parties/{id}/InstallRequests';
};

export type ListInstallRequestsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListInstallRequestsError = ListInstallRequestsErrors[keyof ListInstallRequestsErrors];

export type ListInstallRequestsResponses = {
    /**
     * Success.
     */
    200: Array<InstallRequest>;
};

export type ListInstallRequestsResponse = ListInstallRequestsResponses[keyof ListInstallRequestsResponses];

export type CreateInstallRequestData = {
    body: NewInstallRequest;
    path: {
        /**
         * Id of one of your accounts.
         */
        id: number;
    };
    query?: never;
    url: '/v1/Account/Parties/{id}/InstallRequests';
};

export type CreateInstallRequestErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one. `already_exists`: It exists already. `already_installed`: The app is installed already. `acknowledgement_changed`: What is to be accepted has changed.
     */
    409: Problem & {
        code: 'conflict' | 'already_exists' | 'already_installed' | 'acknowledgement_changed';
        /**
         * The installation that stands in the way.
         */
        installationId?: string;
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateInstallRequestError = CreateInstallRequestErrors[keyof CreateInstallRequestErrors];

export type CreateInstallRequestResponses = {
    /**
     * Success.
     */
    201: InstallRequest;
};

export type CreateInstallRequestResponse = CreateInstallRequestResponses[keyof CreateInstallRequestResponses];

export type AcceptInstallRequestData = {
    body?: never;
    path: {
        /**
         * Id of one of your accounts.
         */
        id: number;
        /**
         * Id of the request.
         */
        requestId: string;
    };
    query?: never;
    url: '/v1/Account/Parties/{id}/InstallRequests/{requestId}/Accept';
};

export type AcceptInstallRequestErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `admin_required`: Only an admin of the account may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'admin_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one. `already_installed`: The app is installed already. `acknowledgement_changed`: What is to be accepted has changed.
     */
    409: Problem & {
        code: 'conflict' | 'already_installed' | 'acknowledgement_changed';
        /**
         * The installation that stands in the way.
         */
        installationId?: string;
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type AcceptInstallRequestError = AcceptInstallRequestErrors[keyof AcceptInstallRequestErrors];

export type AcceptInstallRequestResponses = {
    /**
     * Success.
     */
    200: InstallRequest;
};

export type AcceptInstallRequestResponse = AcceptInstallRequestResponses[keyof AcceptInstallRequestResponses];

export type DeclineInstallRequestData = {
    body: InstallRequestRefusal;
    path: {
        /**
         * Id of one of your accounts.
         */
        id: number;
        /**
         * Id of the request.
         */
        requestId: string;
    };
    query?: never;
    url: '/v1/Account/Parties/{id}/InstallRequests/{requestId}/Decline';
};

export type DeclineInstallRequestErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `admin_required`: Only an admin of the account may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'admin_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeclineInstallRequestError = DeclineInstallRequestErrors[keyof DeclineInstallRequestErrors];

export type DeclineInstallRequestResponses = {
    /**
     * Success.
     */
    200: InstallRequest;
};

export type DeclineInstallRequestResponse = DeclineInstallRequestResponses[keyof DeclineInstallRequestResponses];

export type DeleteInstallRequestData = {
    body?: never;
    path: {
        /**
         * Id of one of your accounts.
         */
        id: number;
        /**
         * Id of the request.
         */
        requestId: string;
    };
    query?: never;
    url: '/v1/Account/Parties/{id}/InstallRequests/{requestId}';
};

export type DeleteInstallRequestErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteInstallRequestError = DeleteInstallRequestErrors[keyof DeleteInstallRequestErrors];

export type DeleteInstallRequestResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteInstallRequestResponse = DeleteInstallRequestResponses[keyof DeleteInstallRequestResponses];

export type ListAccountAuditEntriesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only of this one of your accounts.
         */
        partyId?: number;
        /**
         * Only by actors of this kind.
         */
        actorKind?: 'developer' | 'user' | 'operator' | 'installation' | 'system';
        /**
         * Only this action.
         */
        action?: string;
        /**
         * Only on things of this kind.
         */
        subjectKind?: string;
        /**
         * Only on the thing with this id.
         */
        subjectId?: string;
        /**
         * Only from this moment on.
         */
        since?: string;
        /**
         * Only before this moment.
         */
        until?: string;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Account/Audit';
};

export type ListAccountAuditEntriesErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListAccountAuditEntriesError = ListAccountAuditEntriesErrors[keyof ListAccountAuditEntriesErrors];

export type ListAccountAuditEntriesResponses = {
    /**
     * Success.
     */
    200: Array<AuditRecord>;
};

export type ListAccountAuditEntriesResponse = ListAccountAuditEntriesResponses[keyof ListAccountAuditEntriesResponses];

export type ListPartyInvitationsData = {
    body?: never;
    path: {
        /**
         * Id of one of your accounts.
         */
        id: number;
    };
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Account/Parties/{id}/Invitations';
};

export type ListPartyInvitationsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `admin_required`: Only an admin of the account may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'admin_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListPartyInvitationsError = ListPartyInvitationsErrors[keyof ListPartyInvitationsErrors];

export type ListPartyInvitationsResponses = {
    /**
     * Success.
     */
    200: Array<PartyInvitation>;
};

export type ListPartyInvitationsResponse = ListPartyInvitationsResponses[keyof ListPartyInvitationsResponses];

export type CreatePartyInvitationData = {
    body: PartyInvitationRequest;
    path: {
        /**
         * Id of one of your accounts.
         */
        id: number;
    };
    query?: never;
    url: '/v1/Account/Parties/{id}/Invitations';
};

export type CreatePartyInvitationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `admin_required`: Only an admin of the account may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'admin_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreatePartyInvitationError = CreatePartyInvitationErrors[keyof CreatePartyInvitationErrors];

export type CreatePartyInvitationResponses = {
    /**
     * Success.
     */
    201: CreatedInvitation;
};

export type CreatePartyInvitationResponse = CreatePartyInvitationResponses[keyof CreatePartyInvitationResponses];

export type DeletePartyInvitationData = {
    body?: never;
    path: {
        /**
         * Id of one of your accounts.
         */
        id: number;
        /**
         * Id of the invitation.
         */
        invitationId: string;
    };
    query?: never;
    url: '/v1/Account/Parties/{id}/Invitations/{invitationId}';
};

export type DeletePartyInvitationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `admin_required`: Only an admin of the account may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'admin_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeletePartyInvitationError = DeletePartyInvitationErrors[keyof DeletePartyInvitationErrors];

export type DeletePartyInvitationResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeletePartyInvitationResponse = DeletePartyInvitationResponses[keyof DeletePartyInvitationResponses];

export type ListDevelopersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only those with this text in their name, without regard to case; one or two characters are looked for where words begin.
         */
        q?: string;
        /**
         * Only suspended ones, or only others.
         */
        suspended?: boolean;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Operator/Developers';
};

export type ListDevelopersErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListDevelopersError = ListDevelopersErrors[keyof ListDevelopersErrors];

export type ListDevelopersResponses = {
    /**
     * Success.
     */
    200: Array<DeveloperRecord>;
};

export type ListDevelopersResponse = ListDevelopersResponses[keyof ListDevelopersResponses];

export type CreateDeveloperData = {
    body: DeveloperRequest;
    path?: never;
    query?: never;
    url: '/v1/Operator/Developers';
};

export type CreateDeveloperErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `already_exists`: It exists already.
     */
    409: Problem & {
        code: 'already_exists';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateDeveloperError = CreateDeveloperErrors[keyof CreateDeveloperErrors];

export type CreateDeveloperResponses = {
    /**
     * Success.
     */
    201: CreatedDeveloper;
};

export type CreateDeveloperResponse = CreateDeveloperResponses[keyof CreateDeveloperResponses];

export type ReadDeveloperData = {
    body?: never;
    path: {
        /**
         * Id of the developer.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Developers/{id}';
};

export type ReadDeveloperErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadDeveloperError = ReadDeveloperErrors[keyof ReadDeveloperErrors];

export type ReadDeveloperResponses = {
    /**
     * Success.
     */
    200: DeveloperRecord;
};

export type ReadDeveloperResponse = ReadDeveloperResponses[keyof ReadDeveloperResponses];

export type ChangeDeveloperData = {
    body: DeveloperChange;
    path: {
        /**
         * Id of the developer.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Developers/{id}';
};

export type ChangeDeveloperErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ChangeDeveloperError = ChangeDeveloperErrors[keyof ChangeDeveloperErrors];

export type ChangeDeveloperResponses = {
    /**
     * Success.
     */
    200: DeveloperRecord;
};

export type ChangeDeveloperResponse = ChangeDeveloperResponses[keyof ChangeDeveloperResponses];

export type ListCredentialsData = {
    body?: never;
    path: {
        /**
         * Id of the developer.
         */
        id: string;
    };
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Operator/Developers/{id}/Credentials';
};

export type ListCredentialsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListCredentialsError = ListCredentialsErrors[keyof ListCredentialsErrors];

export type ListCredentialsResponses = {
    /**
     * Success.
     */
    200: Array<Credential>;
};

export type ListCredentialsResponse = ListCredentialsResponses[keyof ListCredentialsResponses];

export type CreateCredentialData = {
    body: CredentialRequest;
    path: {
        /**
         * Id of the developer.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Developers/{id}/Credentials';
};

export type CreateCredentialErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one. `already_exists`: It exists already.
     */
    409: Problem & {
        code: 'conflict' | 'already_exists';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateCredentialError = CreateCredentialErrors[keyof CreateCredentialErrors];

export type CreateCredentialResponses = {
    /**
     * Success.
     */
    201: CreatedCredential;
};

export type CreateCredentialResponse = CreateCredentialResponses[keyof CreateCredentialResponses];

export type DeleteCredentialData = {
    body?: never;
    path: {
        /**
         * Id of the developer.
         */
        id: string;
        /**
         * Id of the credential.
         */
        credentialId: string;
    };
    query?: never;
    url: '/v1/Operator/Developers/{id}/Credentials/{credentialId}';
};

export type DeleteCredentialErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteCredentialError = DeleteCredentialErrors[keyof DeleteCredentialErrors];

export type DeleteCredentialResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteCredentialResponse = DeleteCredentialResponses[keyof DeleteCredentialResponses];

export type ListMembersOfDeveloperData = {
    body?: never;
    path: {
        /**
         * Id of the developer.
         */
        id: string;
    };
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Operator/Developers/{id}/Members';
};

export type ListMembersOfDeveloperErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListMembersOfDeveloperError = ListMembersOfDeveloperErrors[keyof ListMembersOfDeveloperErrors];

export type ListMembersOfDeveloperResponses = {
    /**
     * Success.
     */
    200: Array<DeveloperMember>;
};

export type ListMembersOfDeveloperResponse = ListMembersOfDeveloperResponses[keyof ListMembersOfDeveloperResponses];

export type CreateMemberOfDeveloperData = {
    body: DeveloperMemberRequest;
    path: {
        /**
         * Id of the developer.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Developers/{id}/Members';
};

export type CreateMemberOfDeveloperErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one. `already_exists`: It exists already. `email_not_proved`: Nobody has proved that the email is theirs.
     */
    409: Problem & {
        code: 'conflict' | 'already_exists' | 'email_not_proved';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateMemberOfDeveloperError = CreateMemberOfDeveloperErrors[keyof CreateMemberOfDeveloperErrors];

export type CreateMemberOfDeveloperResponses = {
    /**
     * Success.
     */
    201: DeveloperMember;
};

export type CreateMemberOfDeveloperResponse = CreateMemberOfDeveloperResponses[keyof CreateMemberOfDeveloperResponses];

export type DeleteMemberOfDeveloperData = {
    body?: never;
    path: {
        /**
         * Id of the developer.
         */
        id: string;
        /**
         * Id of the person.
         */
        userId: string;
    };
    query?: never;
    url: '/v1/Operator/Developers/{id}/Members/{userId}';
};

export type DeleteMemberOfDeveloperErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteMemberOfDeveloperError = DeleteMemberOfDeveloperErrors[keyof DeleteMemberOfDeveloperErrors];

export type DeleteMemberOfDeveloperResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteMemberOfDeveloperResponse = DeleteMemberOfDeveloperResponses[keyof DeleteMemberOfDeveloperResponses];

export type ChangeMemberOfDeveloperData = {
    body: DeveloperMemberChange;
    path: {
        /**
         * Id of the developer.
         */
        id: string;
        /**
         * Id of the person.
         */
        userId: string;
    };
    query?: never;
    url: '/v1/Operator/Developers/{id}/Members/{userId}';
};

export type ChangeMemberOfDeveloperErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `email_not_proved`: Nobody has proved that the email is theirs.
     */
    409: Problem & {
        code: 'email_not_proved';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ChangeMemberOfDeveloperError = ChangeMemberOfDeveloperErrors[keyof ChangeMemberOfDeveloperErrors];

export type ChangeMemberOfDeveloperResponses = {
    /**
     * Success.
     */
    200: DeveloperMember;
};

export type ChangeMemberOfDeveloperResponse = ChangeMemberOfDeveloperResponses[keyof ChangeMemberOfDeveloperResponses];

export type ListPartiesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only those with this text in their name, without regard to case; one or two characters are looked for where words begin.
         */
        q?: string;
        /**
         * Only of this type.
         */
        type?: PartyType;
        /**
         * Only suspended ones, or only others.
         */
        suspended?: boolean;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Operator/Parties';
};

export type ListPartiesErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListPartiesError = ListPartiesErrors[keyof ListPartiesErrors];

export type ListPartiesResponses = {
    /**
     * Success.
     */
    200: Array<PartyRecord>;
};

export type ListPartiesResponse = ListPartiesResponses[keyof ListPartiesResponses];

export type CreatePartyData = {
    body: PartyRequest;
    path?: never;
    query?: never;
    url: '/v1/Operator/Parties';
};

export type CreatePartyErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreatePartyError = CreatePartyErrors[keyof CreatePartyErrors];

export type CreatePartyResponses = {
    /**
     * Success.
     */
    201: PartyRecord;
};

export type CreatePartyResponse = CreatePartyResponses[keyof CreatePartyResponses];

export type ReadPartyData = {
    body?: never;
    path: {
        /**
         * Id of the party.
         */
        id: number;
    };
    query?: never;
    url: '/v1/Operator/Parties/{id}';
};

export type ReadPartyErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadPartyError = ReadPartyErrors[keyof ReadPartyErrors];

export type ReadPartyResponses = {
    /**
     * Success.
     */
    200: PartyRecord;
};

export type ReadPartyResponse = ReadPartyResponses[keyof ReadPartyResponses];

export type ChangePartyData = {
    body: PartyChange;
    path: {
        /**
         * Id of the party.
         */
        id: number;
    };
    query?: never;
    url: '/v1/Operator/Parties/{id}';
};

export type ChangePartyErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ChangePartyError = ChangePartyErrors[keyof ChangePartyErrors];

export type ChangePartyResponses = {
    /**
     * Success.
     */
    200: PartyRecord;
};

export type ChangePartyResponse = ChangePartyResponses[keyof ChangePartyResponses];

export type ListConnectionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only of this Buyer.
         */
        buyerId?: number;
        /**
         * Only of this Seller.
         */
        sellerId?: number;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Operator/Connections';
};

export type ListConnectionsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListConnectionsError = ListConnectionsErrors[keyof ListConnectionsErrors];

export type ListConnectionsResponses = {
    /**
     * Success.
     */
    200: Array<Connection>;
};

export type ListConnectionsResponse = ListConnectionsResponses[keyof ListConnectionsResponses];

export type CreateConnectionData = {
    body: ConnectionRequest;
    path?: never;
    query?: never;
    url: '/v1/Operator/Connections';
};

export type CreateConnectionErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `already_exists`: It exists already.
     */
    409: Problem & {
        code: 'already_exists';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateConnectionError = CreateConnectionErrors[keyof CreateConnectionErrors];

export type CreateConnectionResponses = {
    /**
     * Success.
     */
    201: Connection;
};

export type CreateConnectionResponse = CreateConnectionResponses[keyof CreateConnectionResponses];

export type DeleteConnectionData = {
    body?: never;
    path: {
        /**
         * Id of the Buyer.
         */
        buyerId: number;
        /**
         * Id of the Seller.
         */
        sellerId: number;
    };
    query?: never;
    url: '/v1/Operator/Connections/{buyerId}/{sellerId}';
};

export type DeleteConnectionErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteConnectionError = DeleteConnectionErrors[keyof DeleteConnectionErrors];

export type DeleteConnectionResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteConnectionResponse = DeleteConnectionResponses[keyof DeleteConnectionResponses];

export type ListUsersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only those with this text in their name or email, without regard to case; one or two characters are looked for where words begin.
         */
        q?: string;
        /**
         * Only members of this party.
         */
        partyId?: number;
        /**
         * Only suspended ones, or only others.
         */
        suspended?: boolean;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Operator/Users';
};

export type ListUsersErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListUsersError = ListUsersErrors[keyof ListUsersErrors];

export type ListUsersResponses = {
    /**
     * Success.
     */
    200: Array<UserRecord>;
};

export type ListUsersResponse = ListUsersResponses[keyof ListUsersResponses];

export type CreateUserData = {
    body: UserRequest;
    path?: never;
    query?: never;
    url: '/v1/Operator/Users';
};

export type CreateUserErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this. `password_login_off`: Users sign in by single sign-on.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required' | 'password_login_off';
    };
    /**
     * `already_exists`: It exists already.
     */
    409: Problem & {
        code: 'already_exists';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateUserError = CreateUserErrors[keyof CreateUserErrors];

export type CreateUserResponses = {
    /**
     * Success.
     */
    201: CreatedUser;
};

export type CreateUserResponse = CreateUserResponses[keyof CreateUserResponses];

export type DeleteUserData = {
    body?: never;
    path: {
        /**
         * Id of the user.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Users/{id}';
};

export type DeleteUserErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one. `operator_needed`: The marketplace needs this operator.
     */
    409: Problem & {
        code: 'conflict' | 'operator_needed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteUserError = DeleteUserErrors[keyof DeleteUserErrors];

export type DeleteUserResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteUserResponse = DeleteUserResponses[keyof DeleteUserResponses];

export type ReadUserData = {
    body?: never;
    path: {
        /**
         * Id of the user.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Users/{id}';
};

export type ReadUserErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadUserError = ReadUserErrors[keyof ReadUserErrors];

export type ReadUserResponses = {
    /**
     * Success.
     */
    200: UserRecord;
};

export type ReadUserResponse = ReadUserResponses[keyof ReadUserResponses];

export type ChangeUserData = {
    body: UserChange;
    path: {
        /**
         * Id of the user.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Users/{id}';
};

export type ChangeUserErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `already_exists`: It exists already. `email_not_proved`: Nobody has proved that the email is theirs. `operator_needed`: The marketplace needs this operator.
     */
    409: Problem & {
        code: 'already_exists' | 'email_not_proved' | 'operator_needed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ChangeUserError = ChangeUserErrors[keyof ChangeUserErrors];

export type ChangeUserResponses = {
    /**
     * Success.
     */
    200: UserRecord;
};

export type ChangeUserResponse = ChangeUserResponses[keyof ChangeUserResponses];

export type ReplaceUserPasswordData = {
    body: PasswordRequest;
    path: {
        /**
         * Id of the user.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Users/{id}/Password';
};

export type ReplaceUserPasswordErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this. `password_login_off`: Users sign in by single sign-on.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required' | 'password_login_off';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReplaceUserPasswordError = ReplaceUserPasswordErrors[keyof ReplaceUserPasswordErrors];

export type ReplaceUserPasswordResponses = {
    /**
     * Success.
     */
    200: NewPassword;
};

export type ReplaceUserPasswordResponse = ReplaceUserPasswordResponses[keyof ReplaceUserPasswordResponses];

export type CreateMembershipData = {
    body: MembershipRequest;
    path?: never;
    query?: never;
    url: '/v1/Operator/Memberships';
};

export type CreateMembershipErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `already_exists`: It exists already. `email_not_proved`: Nobody has proved that the email is theirs.
     */
    409: Problem & {
        code: 'already_exists' | 'email_not_proved';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateMembershipError = CreateMembershipErrors[keyof CreateMembershipErrors];

export type CreateMembershipResponses = {
    /**
     * Success.
     */
    201: Membership;
};

export type CreateMembershipResponse = CreateMembershipResponses[keyof CreateMembershipResponses];

export type DeleteMembershipData = {
    body?: never;
    path: {
        /**
         * Id of the user.
         */
        userId: string;
        /**
         * Id of the party.
         */
        partyId: number;
    };
    query?: never;
    url: '/v1/Operator/Memberships/{userId}/{partyId}';
};

export type DeleteMembershipErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteMembershipError = DeleteMembershipErrors[keyof DeleteMembershipErrors];

export type DeleteMembershipResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteMembershipResponse = DeleteMembershipResponses[keyof DeleteMembershipResponses];

export type ChangeMembershipData = {
    body: MemberChange;
    path: {
        /**
         * Id of the user.
         */
        userId: string;
        /**
         * Id of the party.
         */
        partyId: number;
    };
    query?: never;
    url: '/v1/Operator/Memberships/{userId}/{partyId}';
};

export type ChangeMembershipErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `email_not_proved`: Nobody has proved that the email is theirs.
     */
    409: Problem & {
        code: 'email_not_proved';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ChangeMembershipError = ChangeMembershipErrors[keyof ChangeMembershipErrors];

export type ChangeMembershipResponses = {
    /**
     * Success.
     */
    200: Membership;
};

export type ChangeMembershipResponse = ChangeMembershipResponses[keyof ChangeMembershipResponses];

export type DeleteUserSecondFactorData = {
    body?: never;
    path: {
        /**
         * Id of the user.
         */
        id: string;
    };
    query?: {
        /**
         * For the audit trail: 1 to 500 characters.
         */
        reason?: string;
    };
    url: '/v1/Operator/Users/{id}/SecondFactor';
};

export type DeleteUserSecondFactorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteUserSecondFactorError = DeleteUserSecondFactorErrors[keyof DeleteUserSecondFactorErrors];

export type DeleteUserSecondFactorResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteUserSecondFactorResponse = DeleteUserSecondFactorResponses[keyof DeleteUserSecondFactorResponses];

export type ListInvitationsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Operator/Invitations';
};

export type ListInvitationsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListInvitationsError = ListInvitationsErrors[keyof ListInvitationsErrors];

export type ListInvitationsResponses = {
    /**
     * Success.
     */
    200: Array<Invitation>;
};

export type ListInvitationsResponse = ListInvitationsResponses[keyof ListInvitationsResponses];

export type CreateInvitationData = {
    body: InvitationRequest;
    path?: never;
    query?: never;
    url: '/v1/Operator/Invitations';
};

export type CreateInvitationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateInvitationError = CreateInvitationErrors[keyof CreateInvitationErrors];

export type CreateInvitationResponses = {
    /**
     * Success.
     */
    201: CreatedInvitation;
};

export type CreateInvitationResponse = CreateInvitationResponses[keyof CreateInvitationResponses];

export type DeleteInvitationData = {
    body?: never;
    path: {
        /**
         * Id of the invitation.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Invitations/{id}';
};

export type DeleteInvitationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteInvitationError = DeleteInvitationErrors[keyof DeleteInvitationErrors];

export type DeleteInvitationResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteInvitationResponse = DeleteInvitationResponses[keyof DeleteInvitationResponses];

export type CreateUserPasswordResetData = {
    body?: never;
    path: {
        /**
         * Id of the user.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Users/{id}/PasswordReset';
};

export type CreateUserPasswordResetErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this. `password_login_off`: Users sign in by single sign-on.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required' | 'password_login_off';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CreateUserPasswordResetError = CreateUserPasswordResetErrors[keyof CreateUserPasswordResetErrors];

export type CreateUserPasswordResetResponses = {
    /**
     * Success.
     */
    201: PasswordResetLink;
};

export type CreateUserPasswordResetResponse = CreateUserPasswordResetResponses[keyof CreateUserPasswordResetResponses];

export type ListAllAppsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only those with this text in their id or name, without regard to case; one or two characters are looked for where words begin.
         */
        q?: string;
        /**
         * Only of this developer.
         */
        developerId?: string;
        /**
         * Only suspended ones, or only others.
         */
        suspended?: boolean;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Operator/Apps';
};

export type ListAllAppsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListAllAppsError = ListAllAppsErrors[keyof ListAllAppsErrors];

export type ListAllAppsResponses = {
    /**
     * Success.
     */
    200: Array<OperatorApp>;
};

export type ListAllAppsResponse = ListAllAppsResponses[keyof ListAllAppsResponses];

export type ReadAnyAppData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Apps/{id}';
};

export type ReadAnyAppErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadAnyAppError = ReadAnyAppErrors[keyof ReadAnyAppErrors];

export type ReadAnyAppResponses = {
    /**
     * Success.
     */
    200: OperatorApp;
};

export type ReadAnyAppResponse = ReadAnyAppResponses[keyof ReadAnyAppResponses];

export type ListAllInstallationsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only of this app.
         */
        appId?: string;
        /**
         * Only of apps of this developer.
         */
        developerId?: string;
        /**
         * Only of this party.
         */
        partyId?: number;
        /**
         * Only with this status. Default: `active` and `suspended`.
         */
        status?: InstallationStatus;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Operator/Installations';
};

export type ListAllInstallationsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListAllInstallationsError = ListAllInstallationsErrors[keyof ListAllInstallationsErrors];

export type ListAllInstallationsResponses = {
    /**
     * Success.
     */
    200: Array<OperatorInstallation>;
};

export type ListAllInstallationsResponse = ListAllInstallationsResponses[keyof ListAllInstallationsResponses];

export type ReadAnyInstallationData = {
    body?: never;
    path: {
        /**
         * Id of the installation.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Installations/{id}';
};

export type ReadAnyInstallationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadAnyInstallationError = ReadAnyInstallationErrors[keyof ReadAnyInstallationErrors];

export type ReadAnyInstallationResponses = {
    /**
     * Success.
     */
    200: OperatorInstallation;
};

export type ReadAnyInstallationResponse = ReadAnyInstallationResponses[keyof ReadAnyInstallationResponses];

export type ListOperatorAcceptancesData = {
    body?: never;
    path: {
        /**
         * Id of the installation.
         */
        id: string;
    };
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Operator/Installations/{id}/Acceptances';
};

export type ListOperatorAcceptancesErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListOperatorAcceptancesError = ListOperatorAcceptancesErrors[keyof ListOperatorAcceptancesErrors];

export type ListOperatorAcceptancesResponses = {
    /**
     * Success.
     */
    200: Array<Acceptance>;
};

export type ListOperatorAcceptancesResponse = ListOperatorAcceptancesResponses[keyof ListOperatorAcceptancesResponses];

export type ReadOperatorAcceptedTermsDocumentData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * Id of the installation.
         */
        id: string;
        /**
         * Hash of the terms document, in hex.
         */
        sha256: string;
    };
    query?: never;
    url: '/v1/Operator/Installations/{id}/Acceptances/{sha256}/TermsDocument';
};

export type ReadOperatorAcceptedTermsDocumentErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadOperatorAcceptedTermsDocumentError = ReadOperatorAcceptedTermsDocumentErrors[keyof ReadOperatorAcceptedTermsDocumentErrors];

export type ReadOperatorAcceptedTermsDocumentResponses = {
    /**
     * Success.
     */
    200: TermsFile;
};

export type ReadOperatorAcceptedTermsDocumentResponse = ReadOperatorAcceptedTermsDocumentResponses[keyof ReadOperatorAcceptedTermsDocumentResponses];

export type ReadAnyInstallationUsageData = {
    body?: never;
    path: {
        /**
         * Id of the installation.
         */
        id: string;
    };
    query?: {
        /**
         * The first day, in UTC. Default: 29 days before `to`.
         */
        from?: string;
        /**
         * The last day, in UTC. Default: today.
         */
        to?: string;
    };
    url: '/v1/Operator/Installations/{id}/Usage';
};

export type ReadAnyInstallationUsageErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadAnyInstallationUsageError = ReadAnyInstallationUsageErrors[keyof ReadAnyInstallationUsageErrors];

export type ReadAnyInstallationUsageResponses = {
    /**
     * Success.
     */
    200: InstallationUsage;
};

export type ReadAnyInstallationUsageResponse = ReadAnyInstallationUsageResponses[keyof ReadAnyInstallationUsageResponses];

export type SuspendDeveloperAsOperatorData = {
    body: SuspensionRequest;
    path: {
        /**
         * Id of the developer.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Developers/{id}/Suspend';
};

export type SuspendDeveloperAsOperatorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type SuspendDeveloperAsOperatorError = SuspendDeveloperAsOperatorErrors[keyof SuspendDeveloperAsOperatorErrors];

export type SuspendDeveloperAsOperatorResponses = {
    /**
     * Success.
     */
    200: Suspension;
};

export type SuspendDeveloperAsOperatorResponse = SuspendDeveloperAsOperatorResponses[keyof SuspendDeveloperAsOperatorResponses];

export type ResumeDeveloperAsOperatorData = {
    body?: never;
    path: {
        /**
         * Id of the developer.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Developers/{id}/Resume';
};

export type ResumeDeveloperAsOperatorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ResumeDeveloperAsOperatorError = ResumeDeveloperAsOperatorErrors[keyof ResumeDeveloperAsOperatorErrors];

export type ResumeDeveloperAsOperatorResponses = {
    /**
     * Success.
     */
    200: Suspension;
};

export type ResumeDeveloperAsOperatorResponse = ResumeDeveloperAsOperatorResponses[keyof ResumeDeveloperAsOperatorResponses];

export type SuspendAppAsOperatorData = {
    body: SuspensionRequest;
    path: {
        /**
         * Id of the app.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Apps/{id}/Suspend';
};

export type SuspendAppAsOperatorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type SuspendAppAsOperatorError = SuspendAppAsOperatorErrors[keyof SuspendAppAsOperatorErrors];

export type SuspendAppAsOperatorResponses = {
    /**
     * Success.
     */
    200: Suspension;
};

export type SuspendAppAsOperatorResponse = SuspendAppAsOperatorResponses[keyof SuspendAppAsOperatorResponses];

export type ResumeAppAsOperatorData = {
    body?: never;
    path: {
        /**
         * Id of the app.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Apps/{id}/Resume';
};

export type ResumeAppAsOperatorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ResumeAppAsOperatorError = ResumeAppAsOperatorErrors[keyof ResumeAppAsOperatorErrors];

export type ResumeAppAsOperatorResponses = {
    /**
     * Success.
     */
    200: Suspension;
};

export type ResumeAppAsOperatorResponse = ResumeAppAsOperatorResponses[keyof ResumeAppAsOperatorResponses];

export type SuspendPartyAsOperatorData = {
    body: SuspensionRequest;
    path: {
        /**
         * Id of the party.
         */
        id: number;
    };
    query?: never;
    url: '/v1/Operator/Parties/{id}/Suspend';
};

export type SuspendPartyAsOperatorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type SuspendPartyAsOperatorError = SuspendPartyAsOperatorErrors[keyof SuspendPartyAsOperatorErrors];

export type SuspendPartyAsOperatorResponses = {
    /**
     * Success.
     */
    200: PartySuspension;
};

export type SuspendPartyAsOperatorResponse = SuspendPartyAsOperatorResponses[keyof SuspendPartyAsOperatorResponses];

export type ResumePartyAsOperatorData = {
    body?: never;
    path: {
        /**
         * Id of the party.
         */
        id: number;
    };
    query?: never;
    url: '/v1/Operator/Parties/{id}/Resume';
};

export type ResumePartyAsOperatorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ResumePartyAsOperatorError = ResumePartyAsOperatorErrors[keyof ResumePartyAsOperatorErrors];

export type ResumePartyAsOperatorResponses = {
    /**
     * Success.
     */
    200: PartySuspension;
};

export type ResumePartyAsOperatorResponse = ResumePartyAsOperatorResponses[keyof ResumePartyAsOperatorResponses];

export type SuspendUserAsOperatorData = {
    body: SuspensionRequest;
    path: {
        /**
         * Id of the user.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Users/{id}/Suspend';
};

export type SuspendUserAsOperatorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one. `operator_needed`: The marketplace needs this operator.
     */
    409: Problem & {
        code: 'conflict' | 'operator_needed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type SuspendUserAsOperatorError = SuspendUserAsOperatorErrors[keyof SuspendUserAsOperatorErrors];

export type SuspendUserAsOperatorResponses = {
    /**
     * Success.
     */
    200: Suspension;
};

export type SuspendUserAsOperatorResponse = SuspendUserAsOperatorResponses[keyof SuspendUserAsOperatorResponses];

export type ResumeUserAsOperatorData = {
    body?: never;
    path: {
        /**
         * Id of the user.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Users/{id}/Resume';
};

export type ResumeUserAsOperatorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ResumeUserAsOperatorError = ResumeUserAsOperatorErrors[keyof ResumeUserAsOperatorErrors];

export type ResumeUserAsOperatorResponses = {
    /**
     * Success.
     */
    200: Suspension;
};

export type ResumeUserAsOperatorResponse = ResumeUserAsOperatorResponses[keyof ResumeUserAsOperatorResponses];

export type SuspendInstallationAsOperatorData = {
    body: SuspensionRequest;
    path: {
        /**
         * Id of the installation.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Installations/{id}/Suspend';
};

export type SuspendInstallationAsOperatorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type SuspendInstallationAsOperatorError = SuspendInstallationAsOperatorErrors[keyof SuspendInstallationAsOperatorErrors];

export type SuspendInstallationAsOperatorResponses = {
    /**
     * Success.
     */
    200: Suspension;
};

export type SuspendInstallationAsOperatorResponse = SuspendInstallationAsOperatorResponses[keyof SuspendInstallationAsOperatorResponses];

export type ResumeInstallationAsOperatorData = {
    body?: never;
    path: {
        /**
         * Id of the installation.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Installations/{id}/Resume';
};

export type ResumeInstallationAsOperatorErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ResumeInstallationAsOperatorError = ResumeInstallationAsOperatorErrors[keyof ResumeInstallationAsOperatorErrors];

export type ResumeInstallationAsOperatorResponses = {
    /**
     * Success.
     */
    200: Suspension;
};

export type ResumeInstallationAsOperatorResponse = ResumeInstallationAsOperatorResponses[keyof ResumeInstallationAsOperatorResponses];

export type ClosePartyData = {
    body?: never;
    path: {
        /**
         * Id of the party.
         */
        id: number;
    };
    query?: never;
    url: '/v1/Operator/Parties/{id}/Close';
};

export type ClosePartyErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ClosePartyError = ClosePartyErrors[keyof ClosePartyErrors];

export type ClosePartyResponses = {
    /**
     * Success.
     */
    200: PartyRecord;
};

export type ClosePartyResponse = ClosePartyResponses[keyof ClosePartyResponses];

export type CloseDeveloperData = {
    body?: never;
    path: {
        /**
         * Id of the developer.
         */
        id: string;
    };
    query?: never;
    url: '/v1/Operator/Developers/{id}/Close';
};

export type CloseDeveloperErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `conflict`: The change conflicts with another one.
     */
    409: Problem & {
        code: 'conflict';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type CloseDeveloperError = CloseDeveloperErrors[keyof CloseDeveloperErrors];

export type CloseDeveloperResponses = {
    /**
     * Success.
     */
    200: DeveloperRecord;
};

export type CloseDeveloperResponse = CloseDeveloperResponses[keyof CloseDeveloperResponses];

export type ListAuditEntriesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only by actors of this kind.
         */
        actorKind?: 'developer' | 'user' | 'operator' | 'installation' | 'system';
        /**
         * Only this action.
         */
        action?: string;
        /**
         * Only on things of this kind.
         */
        subjectKind?: string;
        /**
         * Only on the thing with this id.
         */
        subjectId?: string;
        /**
         * Only from this moment on.
         */
        since?: string;
        /**
         * Only before this moment.
         */
        until?: string;
        /**
         * Only by this actor.
         */
        actorId?: string;
        /**
         * Only what this developer may see.
         */
        developerId?: string;
        /**
         * Only what this party may see.
         */
        partyId?: number;
        /**
         * Only what is about or by somebody or something with this text in the name or email, or with this id, and actions with these words.
         */
        q?: string;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Operator/Audit';
};

export type ListAuditEntriesErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListAuditEntriesError = ListAuditEntriesErrors[keyof ListAuditEntriesErrors];

export type ListAuditEntriesResponses = {
    /**
     * Success.
     */
    200: Array<OperatorAuditRecord>;
};

export type ListAuditEntriesResponse = ListAuditEntriesResponses[keyof ListAuditEntriesResponses];

export type ExportAuditEntriesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only by actors of this kind.
         */
        actorKind?: 'developer' | 'user' | 'operator' | 'installation' | 'system';
        /**
         * Only this action.
         */
        action?: string;
        /**
         * Only on things of this kind.
         */
        subjectKind?: string;
        /**
         * Only on the thing with this id.
         */
        subjectId?: string;
        /**
         * Only from this moment on.
         */
        since?: string;
        /**
         * Only before this moment.
         */
        until?: string;
        /**
         * Only by this actor.
         */
        actorId?: string;
        /**
         * Only what this developer may see.
         */
        developerId?: string;
        /**
         * Only what this party may see.
         */
        partyId?: number;
        /**
         * Only what is about or by somebody or something with this text in the name or email, or with this id, and actions with these words.
         */
        q?: string;
        /**
         * Of the file.
         */
        format?: 'csv' | 'ndjson';
    };
    url: '/v1/Operator/Audit/Export';
};

export type ExportAuditEntriesErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ExportAuditEntriesError = ExportAuditEntriesErrors[keyof ExportAuditEntriesErrors];

export type ExportAuditEntriesResponses = {
    /**
     * One per line, each as in a JSON array.
     */
    200: string;
};

export type ExportAuditEntriesResponse = ExportAuditEntriesResponses[keyof ExportAuditEntriesResponses];

export type ReadMetricsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/metrics';
};

export type ReadMetricsErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired. `second_factor_required`: A code of the second factor is required.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired' | 'second_factor_required';
        /**
         * How old the last code may be, when there was one.
         */
        maxAgeSeconds?: number;
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `operator_required`: Only an operator may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'operator_required';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadMetricsError = ReadMetricsErrors[keyof ReadMetricsErrors];

export type ReadMetricsResponses = {
    /**
     * Metrics in the text format of Prometheus 0.0.4.
     */
    200: string;
};

export type ReadMetricsResponse = ReadMetricsResponses[keyof ReadMetricsResponses];

export type ListProductsData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query?: {
        /**
         * Only of this brand. Case counts; kinds of spaces and normal forms do not.
         */
        brand?: string;
        /**
         * Only with this part number, compared as the brand is.
         */
        partNumber?: string;
        /**
         * Only with this UPC or GTIN; its length does not count (`043917795164` and `00043917795164` are one).
         */
        upc?: string;
        /**
         * Only these products: ids separated by commas, at most 200.
         */
        ids?: string;
        /**
         * Only with at least so many units in stock.
         */
        inStockMin?: number;
        /**
         * Only what changed at or after this time. To follow a catalogue use `GET /v1/Products/Changes`, which also tells deletions.
         */
        updatedSince?: string;
        /**
         * Only with all of these words, or words that begin so, in brand, part number or short description; case does not count.
         */
        q?: string;
        /**
         * Answer only these fields, separated by commas, and `id`. Default: all.
         */
        fields?: string;
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Products';
};

export type ListProductsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `insufficient_scope`: The installation lacks a permission.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'insufficient_scope';
        /**
         * The permissions that the request needs.
         */
        required?: Array<string>;
        /**
         * The permissions that there are.
         */
        granted?: Array<string>;
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListProductsError = ListProductsErrors[keyof ListProductsErrors];

export type ListProductsResponses = {
    /**
     * Success.
     */
    200: Array<ListedProduct>;
};

export type ListProductsResponse = ListProductsResponses[keyof ListProductsResponses];

export type UpsertProductData = {
    body: ProductRecord;
    path?: never;
    query?: never;
    url: '/v1/Products';
};

export type UpsertProductErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `insufficient_scope`: The installation lacks a permission. `seller_required`: Only accounts with products of their own may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'insufficient_scope' | 'seller_required';
        /**
         * The permissions that the request needs.
         */
        required?: Array<string>;
        /**
         * The permissions that there are.
         */
        granted?: Array<string>;
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type UpsertProductError = UpsertProductErrors[keyof UpsertProductErrors];

export type UpsertProductResponses = {
    /**
     * Success.
     */
    200: WrittenProduct;
    /**
     * Success.
     */
    201: WrittenProduct;
};

export type UpsertProductResponse = UpsertProductResponses[keyof UpsertProductResponses];

export type DeleteProductData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the product.
         */
        id: number;
    };
    query?: never;
    url: '/v1/Products/{id}';
};

export type DeleteProductErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `insufficient_scope`: The installation lacks a permission. `seller_required`: Only accounts with products of their own may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'insufficient_scope' | 'seller_required';
        /**
         * The permissions that the request needs.
         */
        required?: Array<string>;
        /**
         * The permissions that there are.
         */
        granted?: Array<string>;
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type DeleteProductError = DeleteProductErrors[keyof DeleteProductErrors];

export type DeleteProductResponses = {
    /**
     * Success.
     */
    204: void;
};

export type DeleteProductResponse = DeleteProductResponses[keyof DeleteProductResponses];

export type ReadProductData = {
    body?: never;
    headers?: {
        /**
         * The `ETag` of the response that you have: 304 without a body while it is current. Its `Link` stays good; the 304 does not repeat it.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * Id of the product.
         */
        id: number;
    };
    query?: never;
    url: '/v1/Products/{id}';
};

export type ReadProductErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `insufficient_scope`: The installation lacks a permission.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'insufficient_scope';
        /**
         * The permissions that the request needs.
         */
        required?: Array<string>;
        /**
         * The permissions that there are.
         */
        granted?: Array<string>;
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadProductError = ReadProductErrors[keyof ReadProductErrors];

export type ReadProductResponses = {
    /**
     * Success.
     */
    200: Product;
};

export type ReadProductResponse = ReadProductResponses[keyof ReadProductResponses];

export type ChangeProductData = {
    body: ProductPatch;
    headers?: {
        /**
         * The `ETag` of the record as you read it: 412 when it has changed since. Without it the change is made in any case.
         */
        'If-Match'?: string;
    };
    path: {
        /**
         * Id of the product.
         */
        id: number;
    };
    query?: never;
    url: '/v1/Products/{id}';
};

export type ChangeProductErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `insufficient_scope`: The installation lacks a permission. `seller_required`: Only accounts with products of their own may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'insufficient_scope' | 'seller_required';
        /**
         * The permissions that the request needs.
         */
        required?: Array<string>;
        /**
         * The permissions that there are.
         */
        granted?: Array<string>;
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `already_exists`: It exists already.
     */
    409: Problem & {
        code: 'already_exists';
    };
    /**
     * `precondition_failed`: The resource has changed since it was read.
     */
    412: Problem & {
        code: 'precondition_failed';
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ChangeProductError = ChangeProductErrors[keyof ChangeProductErrors];

export type ChangeProductResponses = {
    /**
     * Success.
     */
    200: WrittenProduct;
};

export type ChangeProductResponse = ChangeProductResponses[keyof ChangeProductResponses];

export type ListProductChangesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Products/Changes';
};

export type ListProductChangesErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `insufficient_scope`: The installation lacks a permission.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'insufficient_scope';
        /**
         * The permissions that the request needs.
         */
        required?: Array<string>;
        /**
         * The permissions that there are.
         */
        granted?: Array<string>;
    };
    /**
     * `cursor_expired`: The cursor is too old.
     */
    410: Problem & {
        code: 'cursor_expired';
        /**
         * Of the event log: the oldest position that is kept.
         */
        oldestPosition?: number;
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListProductChangesError = ListProductChangesErrors[keyof ListProductChangesErrors];

export type ListProductChangesResponses = {
    /**
     * Success.
     */
    200: Array<ProductChange>;
};

export type ListProductChangesResponse = ListProductChangesResponses[keyof ListProductChangesResponses];

export type UpsertProductsData = {
    body: Array<ProductRecord>;
    path?: never;
    query?: never;
    url: '/v1/Products/Batch';
};

export type UpsertProductsErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `insufficient_scope`: The installation lacks a permission. `seller_required`: Only accounts with products of their own may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'insufficient_scope' | 'seller_required';
        /**
         * The permissions that the request needs.
         */
        required?: Array<string>;
        /**
         * The permissions that there are.
         */
        granted?: Array<string>;
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `unprocessable`: The request breaks a rule.
     */
    422: Problem & {
        code: 'unprocessable';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type UpsertProductsError = UpsertProductsErrors[keyof UpsertProductsErrors];

export type UpsertProductsResponses = {
    /**
     * Success.
     */
    200: Array<BatchResult>;
};

export type UpsertProductsResponse = UpsertProductsResponses[keyof UpsertProductsResponses];

export type ListImportsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Entries per page, 1 to 1000.
         */
        limit?: number;
        /**
         * Where the page begins: taken from the `Link` header of the page before.
         */
        cursor?: string;
    };
    url: '/v1/Products/Imports';
};

export type ListImportsErrors = {
    /**
     * `invalid_request`: The request is malformed. `invalid_cursor`: The cursor is not one that this list gave out.
     */
    400: Problem & {
        code: 'invalid_request' | 'invalid_cursor';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `insufficient_scope`: The installation lacks a permission.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'insufficient_scope';
        /**
         * The permissions that the request needs.
         */
        required?: Array<string>;
        /**
         * The permissions that there are.
         */
        granted?: Array<string>;
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ListImportsError = ListImportsErrors[keyof ListImportsErrors];

export type ListImportsResponses = {
    /**
     * Success.
     */
    200: Array<ImportRecord>;
};

export type ListImportsResponse = ListImportsResponses[keyof ListImportsResponses];

export type ReadImportData = {
    body?: never;
    path: {
        /**
         * Id of the import.
         */
        importId: string;
    };
    query?: never;
    url: '/v1/Products/Imports/{importId}';
};

export type ReadImportErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `insufficient_scope`: The installation lacks a permission.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'insufficient_scope';
        /**
         * The permissions that the request needs.
         */
        required?: Array<string>;
        /**
         * The permissions that there are.
         */
        granted?: Array<string>;
    };
    /**
     * `not_found`: There is nothing at this address.
     */
    404: Problem & {
        code: 'not_found';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadImportError = ReadImportErrors[keyof ReadImportErrors];

export type ReadImportResponses = {
    /**
     * Success.
     */
    200: ImportRecord;
};

export type ReadImportResponse = ReadImportResponses[keyof ReadImportResponses];

export type ImportProductsData = {
    /**
     * The file itself.
     */
    body: Blob | File;
    path?: never;
    query?: {
        /**
         * What to do when rows have problems. Default: `refuse`.
         */
        onError?: 'refuse' | 'skip';
        /**
         * Id of the import; a new one by default.
         */
        importId?: string;
    };
    url: '/v1/Products/Import';
};

export type ImportProductsErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `insufficient_scope`: The installation lacks a permission. `seller_required`: Only accounts with products of their own may do this.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'insufficient_scope' | 'seller_required';
        /**
         * The permissions that the request needs.
         */
        required?: Array<string>;
        /**
         * The permissions that there are.
         */
        granted?: Array<string>;
    };
    /**
     * `request_timeout`: The request took too long to arrive.
     */
    408: Problem & {
        code: 'request_timeout';
    };
    /**
     * `already_exists`: It exists already. `import_running`: An import of this account is under way.
     */
    409: Problem & {
        code: 'already_exists' | 'import_running';
        /**
         * The import that is under way.
         */
        importId?: string;
    };
    /**
     * `payload_too_large`: The body is too large.
     */
    413: Problem & {
        code: 'payload_too_large';
    };
    /**
     * `unsupported_media_type`: The content type is not supported.
     */
    415: Problem & {
        code: 'unsupported_media_type';
    };
    /**
     * `import_refused`: The file has problems; nothing was imported.
     */
    422: Problem & {
        code: 'import_refused';
        /**
         * How many problems the file has; `errors` names the first ones.
         */
        errorCount?: number;
        /**
         * How many rows were read.
         */
        rowsRead?: number;
        /**
         * How many of them have a problem.
         */
        rowsRefused?: number;
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ImportProductsError = ImportProductsErrors[keyof ImportProductsErrors];

export type ImportProductsResponses = {
    /**
     * Success.
     */
    200: ImportResult;
};

export type ImportProductsResponse = ImportProductsResponses[keyof ImportProductsResponses];

export type ReadProfileData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/User/Profile';
};

export type ReadProfileErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token. `insufficient_scope`: The installation lacks a permission.
     */
    403: Problem & {
        code: 'wrong_token_kind' | 'insufficient_scope';
        /**
         * The permissions that the request needs.
         */
        required?: Array<string>;
        /**
         * The permissions that there are.
         */
        granted?: Array<string>;
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadProfileError = ReadProfileErrors[keyof ReadProfileErrors];

export type ReadProfileResponses = {
    /**
     * Success.
     */
    200: Profile;
};

export type ReadProfileResponse = ReadProfileResponses[keyof ReadProfileResponses];

export type ReadOwnInstallationData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/Installation';
};

export type ReadOwnInstallationErrors = {
    /**
     * `invalid_request`: The request is malformed.
     */
    400: Problem & {
        code: 'invalid_request';
    };
    /**
     * `missing_token`: A bearer token is required. `invalid_token`: The bearer token is not valid. `token_expired`: The bearer token has expired.
     */
    401: Problem & {
        code: 'missing_token' | 'invalid_token' | 'token_expired';
    };
    /**
     * `wrong_token_kind`: This endpoint takes another kind of token.
     */
    403: Problem & {
        code: 'wrong_token_kind';
    };
    /**
     * `too_many_requests`: Too many requests.
     */
    429: Problem & {
        code: 'too_many_requests';
    };
    /**
     * `internal_error`: Something went wrong on our side.
     */
    500: Problem & {
        code: 'internal_error';
    };
    /**
     * `unavailable`: The server cannot answer just now.
     */
    503: Problem & {
        code: 'unavailable';
    };
};

export type ReadOwnInstallationError = ReadOwnInstallationErrors[keyof ReadOwnInstallationErrors];

export type ReadOwnInstallationResponses = {
    /**
     * Success.
     */
    200: Installation;
};

export type ReadOwnInstallationResponse = ReadOwnInstallationResponses[keyof ReadOwnInstallationResponses];

export type ReceiveInstallationCreatedWebhookPayload = InstallationCreatedEvent;

export type ReceiveInstallationCreatedWebhookRequest = {
    body: ReceiveInstallationCreatedWebhookPayload;
    key: 'installation.created';
    path?: never;
    query?: never;
};

export type ReceiveInstallationUpgradedWebhookPayload = InstallationUpgradedEvent;

export type ReceiveInstallationUpgradedWebhookRequest = {
    body: ReceiveInstallationUpgradedWebhookPayload;
    key: 'installation.upgraded';
    path?: never;
    query?: never;
};

export type ReceiveInstallationOptionChangedWebhookPayload = InstallationOptionChangedEvent;

export type ReceiveInstallationOptionChangedWebhookRequest = {
    body: ReceiveInstallationOptionChangedWebhookPayload;
    key: 'installation.option_changed';
    path?: never;
    query?: never;
};

export type ReceiveInstallationSettingsChangedWebhookPayload = InstallationSettingsChangedEvent;

export type ReceiveInstallationSettingsChangedWebhookRequest = {
    body: ReceiveInstallationSettingsChangedWebhookPayload;
    key: 'installation.settings_changed';
    path?: never;
    query?: never;
};

export type ReceiveInstallationSuspendedWebhookPayload = InstallationSuspendedEvent;

export type ReceiveInstallationSuspendedWebhookRequest = {
    body: ReceiveInstallationSuspendedWebhookPayload;
    key: 'installation.suspended';
    path?: never;
    query?: never;
};

export type ReceiveInstallationResumedWebhookPayload = InstallationResumedEvent;

export type ReceiveInstallationResumedWebhookRequest = {
    body: ReceiveInstallationResumedWebhookPayload;
    key: 'installation.resumed';
    path?: never;
    query?: never;
};

export type ReceiveInstallationDeletedWebhookPayload = InstallationDeletedEvent;

export type ReceiveInstallationDeletedWebhookRequest = {
    body: ReceiveInstallationDeletedWebhookPayload;
    key: 'installation.deleted';
    path?: never;
    query?: never;
};

export type ReceiveBudgetNearWebhookPayload = BudgetNearEvent;

export type ReceiveBudgetNearWebhookRequest = {
    body: ReceiveBudgetNearWebhookPayload;
    key: 'budget.near';
    path?: never;
    query?: never;
};

export type ReceiveAppListedWebhookPayload = AppListedEvent;

export type ReceiveAppListedWebhookRequest = {
    body: ReceiveAppListedWebhookPayload;
    key: 'app.listed';
    path?: never;
    query?: never;
};

export type ReceiveAppUnlistedWebhookPayload = AppUnlistedEvent;

export type ReceiveAppUnlistedWebhookRequest = {
    body: ReceiveAppUnlistedWebhookPayload;
    key: 'app.unlisted';
    path?: never;
    query?: never;
};

export type ReceiveAppSuspendedWebhookPayload = AppSuspendedEvent;

export type ReceiveAppSuspendedWebhookRequest = {
    body: ReceiveAppSuspendedWebhookPayload;
    key: 'app.suspended';
    path?: never;
    query?: never;
};

export type ReceiveAppResumedWebhookPayload = AppResumedEvent;

export type ReceiveAppResumedWebhookRequest = {
    body: ReceiveAppResumedWebhookPayload;
    key: 'app.resumed';
    path?: never;
    query?: never;
};

export type ReceiveWebhookFailingWebhookPayload = WebhookFailingEvent;

export type ReceiveWebhookFailingWebhookRequest = {
    body: ReceiveWebhookFailingWebhookPayload;
    key: 'webhook.failing';
    path?: never;
    query?: never;
};

export type ReceiveWebhookDisabledWebhookPayload = WebhookDisabledEvent;

export type ReceiveWebhookDisabledWebhookRequest = {
    body: ReceiveWebhookDisabledWebhookPayload;
    key: 'webhook.disabled';
    path?: never;
    query?: never;
};

export type ReceiveSecretReportedWebhookPayload = SecretReportedEvent;

export type ReceiveSecretReportedWebhookRequest = {
    body: ReceiveSecretReportedWebhookPayload;
    key: 'secret.reported';
    path?: never;
    query?: never;
};

export type ReceiveWebhookTestWebhookPayload = WebhookTestEvent;

export type ReceiveWebhookTestWebhookRequest = {
    body: ReceiveWebhookTestWebhookPayload;
    key: 'webhook.test';
    path?: never;
    query?: never;
};
