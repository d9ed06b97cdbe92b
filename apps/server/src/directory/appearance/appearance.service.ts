import {
  type AppearanceFile,
  appearanceColors,
  type appearanceContract,
  appearanceErrors,
  appearanceFiles,
  type BodyOf,
  type FieldErrors,
  validationFailed,
} from '@stithy/core'
import {
  type AppearanceRow,
  findAppearance,
  type Queries,
  saveAppearance,
  toFlag,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { avatarErrors, removeAvatar, saveAvatar } from '../../platform/uploads/avatar-files.ts'
import { plainAppearance } from './appearance.presenter.ts'

type Body = BodyOf<typeof appearanceContract.update>

/** The columns of the files. */
export const fileColumns = {
  logo: 'logo',
  header_logo: 'headerLogo',
  favicon: 'favicon',
} as const satisfies Record<AppearanceFile, keyof AppearanceRow>

type FileColumns = Partial<Pick<AppearanceRow, (typeof fileColumns)[AppearanceFile]>>

/** The appearance of the pages. One query. */
export async function loadAppearance(q: Queries): Promise<AppearanceRow> {
  return (await findAppearance(q)) ?? plainAppearance
}

/**
 * Changes what was sent; a blank file removes the current one.
 * @throws DomainError `validation_failed`
 */
export async function changeAppearance(
  app: App,
  body: Body,
  sent: ReadonlySet<string>,
): Promise<AppearanceRow> {
  const errors = { ...appearanceErrors(body), ...(await fileErrors(body)) }
  if (Object.keys(errors).length > 0) throw validationFailed(errors)
  const files = await saveFiles(app, body, sent)
  try {
    const { before, after } = await app.db.transaction(async (tx) => {
      const before = await loadAppearance(tx)
      const after = { ...before, ...textColumns(body), ...files, updatedAt: app.now() }
      await saveAppearance(tx, after)
      const names = [...sent].toSorted()
      await recordChange(tx, { kind: 'appearance.updated', ...changeByCaller(app.now()), names })
      return { before, after }
    })
    await removeFiles(app, before, files)
    return after
  } catch (error) {
    await removeFiles(app, files, files)
    throw error
  }
}

async function fileErrors(body: Body): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  for (const name of appearanceFiles) {
    const file = body[name]
    const wrong = file === undefined ? undefined : await avatarErrors(file)
    if (wrong?.avatar !== undefined) errors[name] = wrong.avatar
  }
  return errors
}

/** Writes the files of a request. */
async function saveFiles(app: App, body: Body, sent: ReadonlySet<string>): Promise<FileColumns> {
  const files: FileColumns = {}
  for (const name of appearanceFiles) {
    const file = body[name]
    const column = fileColumns[name]
    if (file !== undefined) files[column] = await saveAvatar(app.config, file)
    else if (sent.has(name)) files[column] = null
  }
  return files
}

/** Removes the files of those columns that were changed. */
async function removeFiles(app: App, row: FileColumns, changed: FileColumns): Promise<void> {
  for (const column of Object.values(fileColumns)) {
    if (column in changed) await removeAvatar(app.config, row[column] ?? null)
  }
}

function textColumns(body: Body): Partial<AppearanceRow> {
  const columns = {
    title: body.title,
    description: body.description,
    newProjectGuidelines: body.new_project_guidelines,
    profileImageGuidelines: body.profile_image_guidelines,
    headerMessage: body.header_message,
    footerMessage: body.footer_message,
    messageBackgroundColor: colorOf(body, 'message_background_color'),
    messageFontColor: colorOf(body, 'message_font_color'),
    emailHeaderAndFooterEnabled:
      body.email_header_and_footer_enabled === undefined
        ? undefined
        : toFlag(body.email_header_and_footer_enabled),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/** A blank color is the default one. */
function colorOf(body: Body, name: keyof typeof appearanceColors): string | undefined {
  const color = body[name]
  return color === '' ? appearanceColors[name] : color
}
