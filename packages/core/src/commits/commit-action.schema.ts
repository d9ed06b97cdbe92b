import { z } from 'zod'
import { boolean, fieldMeta, filledText, oneOf, text } from '../contract/fields.ts'

/** Most actions of one commit; as many files are written and flushed one by one. */
const maxActions = 5000

/** Bytes of the largest request that writes files: 50 MB as base64, in JSON. */
export const filesBodyLimit = 64 * 1024 * 1024

/** A field inside of a list, where null and an empty text stand for an absent value too. */
function blankable<S extends z.ZodType>(field: S): z.ZodOptional<S> {
  const read = (value: unknown) => (value === '' || value === null ? undefined : value)
  const schema = z.preprocess(read, field.optional()).meta({ ...fieldMeta(field) })
  return schema.optional() as unknown as z.ZodOptional<S>
}

/** Text of a file: anything that UTF-8 can hold, NUL included; null stands for none. */
export function fileContent(): z.ZodType<string, string> {
  return z
    .preprocess(
      (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
      z.string().refine((content) => content.isWellFormed()),
    )
    .meta({ wire: { type: 'string' }, blankIsAbsent: false }) as z.ZodType<string, string>
}

/** What a commit says of itself; blanks alone say nothing. */
export function commitMessage(): z.ZodType<string, string> {
  const field = filledText()
  return field.refine((message) => message.trim() !== '', 'is empty').meta({ ...fieldMeta(field) })
}

/** How the content of a file is written in a request. */
export const contentEncoding = () => oneOf(['text', 'base64'])

/** What one action of a commit does to one file (document 2, Commits). */
export const CommitAction = z
  .object({
    action: oneOf(['create', 'delete', 'move', 'update', 'chmod']),
    file_path: text(),
    previous_path: blankable(text()),
    content: fileContent().nullish(),
    encoding: blankable(contentEncoding()),
    last_commit_id: blankable(text()),
    execute_filemode: blankable(boolean()),
  })
  .superRefine((action, context) => {
    const missing = missingField(action)
    if (missing !== undefined) {
      context.addIssue({ code: 'custom', path: [missing], message: 'is missing' })
    }
  })
export type CommitAction = z.output<typeof CommitAction>

/** The field that the kind of an action needs and that was not sent (catalogue: repository, 3). */
function missingField(action: {
  action: string
  content?: string | null | undefined
  previous_path?: string | undefined
  execute_filemode?: boolean | undefined
}): string | undefined {
  const needsContent = action.action === 'create' || action.action === 'update'
  if (needsContent && typeof action.content !== 'string') return 'content'
  if (action.action === 'move' && action.previous_path === undefined) return 'previous_path'
  if (action.action === 'chmod' && action.execute_filemode === undefined) return 'execute_filemode'
  return undefined
}

/** Forms cannot send an empty list, and some number its elements: `actions[0][action]`. */
function readActions(value: unknown): unknown {
  if (value === '') return []
  if (Array.isArray(value)) return value.filter((entry) => entry !== '')
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => /^\d{1,6}$/.test(name))
    ? Object.values(value)
    : value
}

/** The actions of a commit, in the order in which they apply; none make an empty commit. */
export const CommitActions = z.preprocess(
  readActions,
  z.array(CommitAction).max(maxActions),
) as unknown as z.ZodArray<typeof CommitAction>
