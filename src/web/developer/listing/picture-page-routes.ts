import type { FastifyRequest } from 'fastify'
import { AppPath } from '../../../base/values/app-path.ts'
import { parseInput } from '../../../base/values/field-errors.ts'
import { UuidText } from '../../../base/values/shapes.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import {
  acceptMultipartForms,
  fileOf,
  MULTIPART_FIELDS_MAX_BYTES,
} from '../../../http/bodies/multipart-body.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { ALT_MAX_LENGTH, PICTURE_MAX_BYTES } from '../../../marketplace/apps/media/picture.ts'
import {
  addScreenshot,
  changeScreenshot,
  orderScreenshots,
  putIcon,
  removeIcon,
  removeScreenshot,
} from '../../../marketplace/apps/media/pictures-service.ts'
import { ScreenshotWords } from '../../../marketplace/apps/media/screenshot-words.ts'
import { readOwnApp } from '../../../marketplace/apps/read-apps-service.ts'
import type { FormSpec } from '../../kit/fields.ts'
import { formPage } from '../../requests/form-page.ts'
import { buttonForm } from '../../requests/form-work.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { html } from '../../shared/page/html.ts'
import { csrfField } from '../../shared/page/html-page.ts'
import { APP_NOTICES, ownAppPath } from '../console-frame.ts'
import { listingPath } from './pictures-view.ts'

const LISTING = '/Developer/Apps/:appId/Listing'
const PLACE = { console: 'developer', section: 'own-apps' } as const
const REFUSED = ['unprocessable', 'conflict'] as const
const UPLOAD_LIMIT_BYTES = PICTURE_MAX_BYTES + MULTIPART_FIELDS_MAX_BYTES
const PICTURE_FIELD = {
  kind: 'file',
  accept: 'image/png,image/jpeg,image/webp',
} as const
const WORDS: FormSpec = {
  alt: {
    label: 'Alternative text',
    hint: `What the picture shows, for people who cannot see it: at most ${ALT_MAX_LENGTH} characters.`,
  },
  caption: { label: 'Caption', optional: true, hint: 'Under the picture.' },
}
const ScreenshotPath = AppPath.extend({ screenshotId: UuidText })

/** The pictures of a developer's app: sent from a page, changed, put into order, removed. */
export async function picturePageRoutes(app: App) {
  const { deps } = app
  acceptMultipartForms(app)
  const read = async (request: FastifyRequest, appId: string) =>
    (await readOwnApp(deps, developerOf(request).developerId, appId)).app
  const crumbs = ({ id, name }: { id: string; name: string }) => [
    { href: ownAppPath(id), label: name },
    { href: listingPath(id), label: 'Listing' },
  ]

  formPage(app, {
    path: `${LISTING}/Icon`,
    params: AppPath,
    place: PLACE,
    bodyLimit: UPLOAD_LIMIT_BYTES,
    fields: {
      picture: {
        ...PICTURE_FIELD,
        label: 'Picture',
        hint: 'PNG, JPEG or WebP: square, 128 to 1024 pixels on each side, at most 5 MiB, not animated.',
      },
    },
    refused: REFUSED,
    async page(request, _, _reply, { appId }) {
      const own = await read(request, appId)
      return {
        title: `Icon of ${own.name}`,
        heading: html`Icon of <bdi>${own.name}</bdi>`,
        back: crumbs(own),
        button: 'Save',
        ...(own.icon !== null && {
          below: (
            csrfToken,
          ) => html`<form class="card" method="post" action="${listingPath(own.id)}/Icon/Remove">
${csrfField(csrfToken)}<p class="muted">Without an icon, the app has a pattern that is drawn from its ID.</p>
<p><button class="button danger" type="submit">Remove the icon</button></p></form>`,
        }),
      }
    },
    async submit(request, _, { appId }) {
      const own = await read(request, appId)
      await atPicture(() => putIcon(deps, developerActor(request), own.id, picture(request)))
      return { path: listingPath(own.id), text: APP_NOTICES.icon(own.name) }
    },
  })

  buttonForm(app, {
    path: `${LISTING}/Icon/Remove`,
    params: AppPath,
    page: ({ appId }) => listingPath(appId),
    async submit(request, _, { appId }) {
      const own = await read(request, appId)
      // A second click finds it done.
      if (own.icon !== null) await removeIcon(deps, developerActor(request), own.id)
      return { path: listingPath(own.id), text: APP_NOTICES.noIcon(own.name) }
    },
  })

  formPage(app, {
    path: `${LISTING}/Screenshots`,
    params: AppPath,
    place: PLACE,
    bodyLimit: UPLOAD_LIMIT_BYTES,
    fields: {
      picture: {
        ...PICTURE_FIELD,
        label: 'Picture',
        hint: 'PNG, JPEG or WebP: 640 to 2560 pixels wide, at most 5 MiB, not animated.',
      },
      ...WORDS,
    },
    refused: REFUSED,
    async page(request, _, _reply, { appId }) {
      const own = await read(request, appId)
      return {
        title: `Add a screenshot to ${own.name}`,
        heading: html`Add a screenshot to <bdi>${own.name}</bdi>`,
        back: crumbs(own),
        button: 'Add',
      }
    },
    async submit(request, typed, { appId }) {
      const own = await read(request, appId)
      const words = wordsIn(typed)
      await atPicture(() =>
        addScreenshot(deps, developerActor(request), own.id, {
          ...words,
          content: picture(request),
        }),
      )
      return { path: listingPath(own.id), text: APP_NOTICES.screenshot }
    },
  })

  formPage(app, {
    path: `${LISTING}/Screenshots/:screenshotId`,
    params: ScreenshotPath,
    place: PLACE,
    fields: WORDS,
    refused: REFUSED,
    async page(request, _, _reply, { appId, screenshotId }) {
      const own = await read(request, appId)
      const index = own.screenshots.findIndex(({ id }) => id === screenshotId)
      const shot = own.screenshots[index]
      if (shot === undefined) throw new AppError('not_found')
      const path = `${listingPath(own.id)}/Screenshots/${shot.id}`
      const button = (action: string, label: string, kind = '') =>
        html`<button class="button ${kind}" type="submit" formaction="${path}/${action}">${label}</button>\n`
      return {
        title: `Screenshot of ${own.name}`,
        heading: html`Screenshot of <bdi>${own.name}</bdi>`,
        back: crumbs(own),
        above: html`<p><img class="shot" src="${shot.small}" alt="${shot.alt}" width="${shot.width}"
height="${shot.height}"></p>`,
        stored: new Map([
          ['alt', shot.alt],
          ['caption', shot.caption],
        ]),
        button: 'Save',
        below: (csrfToken: string) => html`<form class="card" method="post" action="${path}/Remove">
${csrfField(csrfToken)}<h2>Order</h2>
<p class="muted">This is screenshot ${index + 1} of ${own.screenshots.length}.</p>
<p class="actions">${index > 0 && button('Earlier', 'Move earlier')}${
          index < own.screenshots.length - 1 && button('Later', 'Move later')
        }${button('Remove', 'Remove', 'danger')}</p></form>`,
      }
    },
    async submit(request, typed, { appId, screenshotId: id }) {
      await changeScreenshot(deps, developerActor(request), { appId, id }, wordsIn(typed))
      return { path: listingPath(appId), text: APP_NOTICES.screenshotWords }
    },
  })

  buttonForm(app, {
    path: `${LISTING}/Screenshots/:screenshotId/Remove`,
    params: ScreenshotPath,
    page: ({ appId }) => listingPath(appId),
    async submit(request, _, { appId, screenshotId: id }) {
      const own = await read(request, appId)
      // A second click finds it done.
      if (own.screenshots.some((one) => one.id === id)) {
        await removeScreenshot(deps, developerActor(request), { appId, id })
      }
      return { path: listingPath(appId), text: APP_NOTICES.noScreenshot }
    },
  })

  for (const [action, by] of [
    ['Earlier', -1],
    ['Later', 1],
  ] as const) {
    buttonForm(app, {
      path: `${LISTING}/Screenshots/:screenshotId/${action}`,
      params: ScreenshotPath,
      page: ({ appId, screenshotId }) => `${listingPath(appId)}/Screenshots/${screenshotId}`,
      async submit(request, _, { appId, screenshotId }) {
        const own = await read(request, appId)
        const ids = own.screenshots.map(({ id }) => id)
        const index = ids.indexOf(screenshotId)
        if (index < 0) throw new AppError('not_found')
        const moved = ids.toSpliced(index, 1).toSpliced(Math.max(index + by, 0), 0, screenshotId)
        await orderScreenshots(deps, developerActor(request), own.id, moved)
        return { path: listingPath(appId), text: APP_NOTICES.moved }
      },
    })
  }
}

function picture(request: FastifyRequest): Uint8Array {
  const file = fileOf(request, 'picture')
  if (file !== undefined) return file
  throw refusedAt('picture', 'Choose a picture.')
}

/** @throws AppError unprocessable */
function wordsIn(typed: FormFields) {
  const { alt, caption = '' } = parseInput(ScreenshotWords, {
    alt: typed.get('alt') ?? '',
    caption: typed.get('caption') ?? '',
  })
  return { alt, caption }
}

/** Says what is wrong with a picture at its field. */
async function atPicture(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isAbout = error instanceof AppError && error.code === 'unprocessable'
    throw isAbout && error.options.errors === undefined
      ? refusedAt('picture', error.message)
      : error
  }
}

function refusedAt(field: string, detail: string): AppError {
  return new AppError('unprocessable', { errors: [{ pointer: `#${field}`, detail }] })
}
