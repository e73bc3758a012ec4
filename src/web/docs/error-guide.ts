import type { ErrorCode } from '../../errors.ts'
import { lifetimeText } from '../../identity/links/link.ts'

/**
 * What each error code means for a developer and what to do next, as `/docs/errors` shows it. The
 * type asks for a text of every code. Backticks, lists and links work as in other descriptions;
 * an operation in backticks (`POST /v1/Auth`) becomes a link.
 */
export const ERROR_GUIDE: Readonly<Record<ErrorCode, string>> = {
  admin_required:
    'The user is a member of the account. Only its admins install, configure, upgrade and ' +
    'uninstall apps and manage the members. `detail` names admins to ask; they can also change ' +
    "the user's role.",
  owner_required:
    'The person is a member of the developer. Only its owners manage its people and credentials; ' +
    'so do programs that sign in with a credential.',
  invited_user_required:
    'The invitation is for an address that is a user already, and its link was handed over, not ' +
    'mailed. Only that user accepts it: sign in as that user, and send its account token.',
  invalid_request:
    'The request could not be understood: broken JSON, a missing or unknown property, a value ' +
    'of the wrong type. `errors` names every place as a JSON pointer. Correct the request; the ' +
    'same one will fail again.',
  invalid_cursor:
    'A cursor belongs to one list, one caller and one set of filters. Take it from the `Link` ' +
    'header of the page before and change nothing else in that address, or begin again without ' +
    'a cursor. A position of events (`after`) that your log has not reached comes from another ' +
    'developer or another marketplace.',
  missing_token:
    'Send the token in the header `authorization: Bearer <token>`. Tokens in the query or in ' +
    'the body are not looked at. `POST /v1/Auth` gives out developer tokens, `POST ' +
    '/v1/Developer/Token` tokens for one installation.',
  invalid_token:
    'The token was not issued by this server, was changed on the way, or is no longer good: it ' +
    'was revoked, the app was uninstalled or suspended, or the credential was removed. Ask for ' +
    'a new one; if that fails too, the answer to that request says why.',
  token_expired:
    'The token was good once and its time is over. Ask for a new one the way you got this one; ' +
    'there are no refresh tokens. `expiresAt`, which came with the token, says when to do so.',
  invalid_credentials:
    'There is no such client id, or the password is another; the answer does not say which. ' +
    'Check both for stray spaces. The operator of the marketplace hands out new credentials.',
  second_factor_required:
    'The user has a second factor: send a code of it as `otp` to `POST /v1/Account/Auth`. With ' +
    '`maxAgeSeconds` the token is good, but the operation needs one that was made with a code ' +
    'not long ago: sign in again. A user who has to turn on a second factor does so in a ' +
    'browser, at the next sign-in.',
  wrong_token_kind:
    'The token is good, but of the wrong kind: endpoints under `/v1/Developer` take developer ' +
    'tokens, data endpoints take installation tokens. The reference says at each operation ' +
    'which kind it needs.',
  operator_required:
    'Only operators of the marketplace may do this, and this user is none. Sign in as an operator, or ask one.',
  insufficient_scope:
    'The installation was not granted the permission named in `required`; `granted` shows what ' +
    'the token carries. Either ask for a token without narrowing `permissions`, or declare the ' +
    'permission in the app and publish that as a new version: existing installations get it ' +
    'when their account agrees to the upgrade.',
  seller_required:
    'The account that installed the app is a Buyer: it sees the products of its Sellers and ' +
    'has none of its own to change. Use a token of an installation of a Seller.',
  installation_not_accessible:
    'The id is no live installation of one of your apps: mistyped, uninstalled, or of another ' +
    'developer. `GET /v1/Developer/Installations` lists those you can use. Stop asking for ' +
    'tokens for this one.',
  installation_suspended:
    'The installation exists, but it is suspended by the operator or by you. Its tokens do not ' +
    'work until it is resumed. Keep its data, and try again later rather than in a loop.',
  password_login_off:
    'The operator has switched passwords of users off (`PASSWORD_LOGIN`): users sign in on the ' +
    'sign-in page of the marketplace, through single sign-on, and make account tokens on their ' +
    'account page. Credentials of developers are not affected.',
  sign_in_refused:
    'Only pages answer this: single sign-on did not end in a sign-in, because the provider did ' +
    'not confirm who it is, because no user has that verified email, or because the sign-in was ' +
    'not begun in this browser. The page says which; begin again on the sign-in page.',
  invalid_csrf_token:
    'Only forms of the web pages answer this: the page had been open too long, cookies are ' +
    'blocked, or the form was sent from another site. Open the page again and repeat what you ' +
    'did.',
  not_found:
    'The path is wrong, or the resource does not exist, or it is not yours; the answer is the ' +
    'same, so that ids cannot be guessed. Check the id, and the path against the reference.',
  method_not_allowed:
    'The path exists, but not with this method. The header `allow` lists the methods it takes.',
  conflict:
    'Somebody else changed the same thing at the same time. Read it again, decide whether your change still makes sense, and repeat it.',
  already_exists:
    'There is one with this id or name already. Names are compared without regard to case, ' +
    'width and surrounding space. Choose another, or change the existing one.',
  already_installed:
    'This account has the app already; an account has an app at most once. Change the purchase ' +
    'option or the settings of that installation, or uninstall it first.',
  acknowledgement_changed:
    'What was accepted is not what the app asks for now: an acknowledgement or the terms ' +
    'document was changed or added meanwhile. Read the app again, show the new texts to the ' +
    'user, and send the hashes of what the user accepted.',
  app_in_use:
    'Accounts still have the app installed, so it cannot be deleted. Make it a draft with `PUT ' +
    '/v1/Developer/Apps/{appId}/Visibility`: nobody can install it any more, and those who have ' +
    'it keep it until they uninstall.',
  operator_needed:
    'Somebody has to be able to run the marketplace: operators do not take the flag from ' +
    'themselves, and the last operator who can sign in is neither demoted nor suspended by ' +
    'another one. Make another user an operator first, or ask another operator.',
  email_not_proved:
    'Somebody was invited to this email by a link that was handed over, and nobody has proved that ' +
    'the email is theirs: whoever had the link may sign in as this user. The email is proved when ' +
    'the user follows a mailed link (an invitation or a new password) or signs in by single ' +
    'sign-on. An operator who has asked the person sets it with `{"emailProved": true}` in ' +
    '`PATCH /v1/Operator/Users/{id}`, on the page of the user, or with `user verify-email`.',
  version_required:
    'The change would break installations of this version; `changes` lists what does, with a ' +
    'pointer to each place. Send the definition again with a `version` never used before, or ' +
    'leave those changes out. [Which changes break](/docs/apps#versions).',
  version_used:
    'This version string stood for another definition before, and installations may still have ' +
    'that one. Choose a version that the app never had.',
  import_running:
    'An account has one import at a time, whichever app sends it. `importId` names the one ' +
    'under way: `GET /v1/Products/Imports/{importId}` says how far it is. Wait for its end, ' +
    'then send the file again. One whose server died is given up after a minute.',
  invalid_link:
    'The token of the link was used, has expired, was revoked, is for something else, or a newer ' +
    'link took its place; `detail` says which. Ask for a new link. Invitations work for ' +
    `${lifetimeText('invitation')}, links for a new password for ${lifetimeText('password_reset')}, ` +
    `those for another email for ${lifetimeText('email_change')}.`,
  cursor_expired:
    'Of products: deletions since this cursor are no longer told; they are kept for 30 days, ' +
    'or so many other cursors of a Buyer with many Sellers were given out since that this one ' +
    'was forgotten. Begin again without a cursor: you get every product that there is now. ' +
    'Forget those that you have and do not get. Of events: those after this position are ' +
    'older than 30 days and gone. Read the records of your installations, then go on with ' +
    '`oldestPosition`.',
  precondition_failed:
    'The `if-match` you sent is not the current `etag`: the resource has changed since you ' +
    'read it. Read it again, apply your change to what you find, and send it with the new ' +
    '`etag`.',
  request_timeout:
    'The request did not arrive as a whole in time. Send it again, over a faster connection or in smaller parts.',
  payload_too_large:
    'JSON bodies may have at most 1 MiB; imports and uploads have limits of their own, given ' +
    'with their operation. Send less, or several requests.',
  unsupported_media_type:
    'Send `content-type: application/json`, or what the operation lists, and the body in that ' +
    'form. Only imports may be compressed: where `detail` speaks of Content-Encoding, ' +
    '`accept-encoding` names what this address takes.',
  unprocessable:
    'The request is well-formed but against a rule, such as a mandatory setting that is ' +
    'missing. `errors` names every place as a JSON pointer and says what is expected there.',
  import_refused:
    'Nothing of the file was taken. `errors` names the first 100 problems with their lines, ' +
    '`errorCount` says how many there are. Correct the file and send it again, or ask for ' +
    '`onError=skip`: then the good rows are taken, unless a quote that is not closed or a line ' +
    'over 1 MiB hides where rows end.',
  headers_too_large:
    'All header fields together are too long. Usually cookies or a token have piled up; send only what is needed.',
  internal_error:
    'A fault of ours. Repeat a `GET` after a moment; before repeating anything else, look ' +
    'whether it took effect. Give the `requestId` to the operator: it names the request in the ' +
    'logs.',
  too_many_requests:
    'You have sent more requests than the limit allows, or too much of yours is under way at once, ' +
    'or too many wrong passwords came from your address, or too many are being checked for it ' +
    'just now. Wait as long as ' +
    '`Retry-After` says. The headers `RateLimit` and `RateLimit-Policy` tell what is left ' +
    'before it happens.',
  unavailable:
    'The server is starting, stopping, overloaded, or cannot reach its database. Wait for the ' +
    'number of seconds in the header `retry-after`, then send the same request again.',
}
