import { z } from 'zod'
import { AppPath } from '../../../base/values/app-path.ts'
import { UuidText } from '../../../base/values/shapes.ts'
import type { App } from '../../../http/app-type.ts'
import { readWholeBody } from '../../../http/bodies/whole-body.ts'
import { registerScope } from '../../../http/register-scope.ts'
import { validatorOfAllButBodies } from '../../../http/validation.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { PICTURE_MAX_BYTES, SCREENSHOTS_MAX } from './picture.ts'
import { AppIcon, AppScreenshot } from './picture-record.ts'
import {
  addScreenshot,
  changeScreenshot,
  orderScreenshots,
  putIcon,
  removeIcon,
  removeScreenshot,
} from './pictures-service.ts'
import { ScreenshotChange, ScreenshotWords } from './screenshot-words.ts'

const ICON = '/v1/Developer/Apps/:appId/Icon'
const SCREENSHOTS = '/v1/Developer/Apps/:appId/Screenshots'
const tags = ['Apps']
const FILES = ['image/png', 'image/jpeg', 'image/webp']

/** A picture in a body. */
const PictureFile = z
  .any()
  .describe('The picture itself, as a file.')
  .meta({ id: 'PictureFile', type: 'string', format: 'binary', example: 'PNG ...' })

const ScreenshotOrder = z
  .array(UuidText)
  .max(SCREENSHOTS_MAX)
  .meta({
    example: ['9b2d3c61-0d51-4d6c-8f3a-1c7e5b8a4d20'],
    id: 'ScreenshotOrder',
    description: 'The ids of all screenshots, the first one first.',
  })

const ScreenshotPath = AppPath.extend({
  screenshotId: UuidText.describe('Id of a screenshot.').meta({ parameter: 'ScreenshotId' }),
})

/** The icon and the screenshots of a developer's own app. */
export async function developerPictureRoutes(app: App) {
  await registerScope(app, pictureUploadRoutes)

  app.delete(
    ICON,
    {
      schema: {
        operationId: 'deleteIcon',
        tags,
        summary: 'Remove the icon of an app',
        description: 'The app then has a pattern that is drawn from its id.',
        params: AppPath,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await removeIcon(app.deps, developerActor(request), request.params.appId)
      return reply.code(204).send(null)
    },
  )

  app.patch(
    `${SCREENSHOTS}/:screenshotId`,
    {
      schema: {
        operationId: 'changeScreenshot',
        tags,
        summary: 'Change the words of a screenshot',
        description: 'Another picture is another screenshot: add it, and remove this one.',
        params: ScreenshotPath,
        body: ScreenshotChange,
        response: { 200: AppScreenshot },
      },
    },
    (request) => {
      const { appId, screenshotId: id } = request.params
      return changeScreenshot(app.deps, developerActor(request), { appId, id }, request.body)
    },
  )

  app.delete(
    `${SCREENSHOTS}/:screenshotId`,
    {
      schema: {
        operationId: 'deleteScreenshot',
        tags,
        summary: 'Remove a screenshot',
        description: 'The others stay in their order.',
        params: ScreenshotPath,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { appId, screenshotId: id } = request.params
      await removeScreenshot(app.deps, developerActor(request), { appId, id })
      return reply.code(204).send(null)
    },
  )

  app.put(
    `${SCREENSHOTS}/Order`,
    {
      schema: {
        operationId: 'replaceScreenshotOrder',
        tags,
        summary: 'Put the screenshots into an order',
        description: 'Takes the id of each screenshot of the app once.',
        params: AppPath,
        body: ScreenshotOrder,
        response: { 200: z.array(AppScreenshot) },
        problems: ['unprocessable'],
      },
    },
    (request) =>
      orderScreenshots(app.deps, developerActor(request), request.params.appId, request.body),
  )
}

/** In this scope every body is a picture, whatever its Content-Type: what it is shows in its content. */
async function pictureUploadRoutes(app: App) {
  app.setValidatorCompiler(validatorOfAllButBodies)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', readWholeBody)
  const bodyLimit = PICTURE_MAX_BYTES

  app.put(
    ICON,
    {
      bodyLimit,
      schema: {
        operationId: 'replaceIcon',
        tags,
        summary: 'Give an app an icon',
        description:
          'The body is the picture itself: PNG, JPEG or WebP, square, 128 to 1024 pixels on each ' +
          'side, at most 5 MiB, without animation. The server makes its own files of it, as WebP ' +
          'in sRGB; what else is in the file, such as a place or a camera, is not kept.',
        consumes: FILES,
        body: PictureFile,
        params: AppPath,
        response: { 200: AppIcon },
        problems: ['unprocessable', 'too_many_requests', 'unavailable'],
      },
    },
    (request) =>
      putIcon(app.deps, developerActor(request), request.params.appId, pictureIn(request)),
  )

  app.post(
    SCREENSHOTS,
    {
      bodyLimit,
      schema: {
        operationId: 'createScreenshot',
        tags,
        summary: 'Add a screenshot to an app',
        description:
          'The body is the picture itself, as for the icon: 640 to 2560 pixels wide, at most 25 ' +
          `megapixels. It comes behind the others; an app has at most ${SCREENSHOTS_MAX}.`,
        consumes: FILES,
        body: PictureFile,
        params: AppPath,
        querystring: ScreenshotWords,
        response: { 201: AppScreenshot },
        problems: ['conflict', 'unprocessable', 'too_many_requests', 'unavailable'],
      },
    },
    async (request, reply) => {
      const { alt, caption = '' } = request.query
      const content = pictureIn(request)
      const { appId } = request.params
      const shot = { alt, caption, content }
      const added = await addScreenshot(app.deps, developerActor(request), appId, shot)
      reply.code(201)
      return added
    },
  )
}

/** The body of a request; one without a body has an empty picture. */
function pictureIn({ body }: { body: unknown }): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array()
}
