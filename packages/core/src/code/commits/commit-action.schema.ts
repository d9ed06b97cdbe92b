import { z } from 'zod'
import {
  boolean,
  fieldMeta,
  nonEmptyText,
  oneOf,
  type TextOptions,
  text,
} from '../../platform/contract/fields.ts'
import { shortList } from '../../platform/contract/list-fields.ts'
import { maxProseLength, notBlank, writtenPathText } from '../../platform/contract/text-options.ts'

/** Maximum actions per commit; that many files are written and flushed one by one. */
const maxActions = 5000

/** Body limit of requests that write files, in bytes: 50 MB as base64, in JSON. */
export const filesBodyLimit = 64 * 1024 * 1024

/** A field in a list, in which null and an empty text count as absent, too. */
function blankable<S extends z.ZodType>(field: S): z.ZodOptional<S> {
  const read = (value: unknown) => (value === '' || value === null ? undefined : value)
  const schema = z.preprocess(read, field.optional()).meta({ ...fieldMeta(field) })
  return schema.optional() as unknown as z.ZodOptional<S>
}

/** Content of a file: any valid UTF-8, including NUL; null means an empty file. */
export function fileContent(): z.ZodType<string, string> {
  return z
    .preprocess(
      (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
      z
        .string()
        .max(filesBodyLimit)
        .refine((content) => content.isWellFormed()),
    )
    .meta({
      wire: { type: 'string', maxLength: filesBodyLimit },
      blankIsAbsent: false,
    }) as z.ZodType<string, string>
}

const messageText: TextOptions = { max: maxProseLength, rules: { pattern: notBlank } }

/** A commit message; rejects a blank one. */
export function commitMessage(): z.ZodType<string, string> {
  const field = nonEmptyText(messageText)
  return field.refine((message) => message.trim() !== '', 'is empty').meta({ ...fieldMeta(field) })
}

/** How the content of a file is encoded in a request. */
export const contentEncoding = () => oneOf(['text', 'base64'])

const actionKinds = ['create', 'delete', 'move', 'update', 'chmod'] as const

/** What kinds of actions need besides the path, and how JSON schema says that it is not blank. */
const needs: readonly {
  actions: readonly (typeof actionKinds)[number][]
  field: 'content' | 'previous_path' | 'execute_filemode'
  present: object
}[] = [
  { actions: ['create', 'update'], field: 'content', present: { not: { type: 'null' } } },
  { actions: ['move'], field: 'previous_path', present: { minLength: 1 } },
  { actions: ['chmod'], field: 'execute_filemode', present: { type: 'boolean' } },
]

/** `needs` as JSON schema: alternatives, since few tools know `if`. */
function alternativeActions(): object[] {
  const undemanding = actionKinds.filter(
    (kind) => !needs.some(({ actions }) => actions.includes(kind)),
  )
  return [
    ...needs.map(({ actions, field, present }) => ({
      properties: { action: { enum: actions }, [field]: present },
      required: [field],
    })),
    { properties: { action: { enum: undemanding } } },
  ]
}

/** What one action of a commit does to one file. */
export const CommitAction = z
  .object({
    action: oneOf(actionKinds),
    file_path: text(writtenPathText),
    previous_path: blankable(text(writtenPathText)),
    content: fileContent().nullish(),
    encoding: blankable(contentEncoding()),
    last_commit_id: blankable(text()),
    execute_filemode: blankable(boolean()),
  })
  .superRefine((action, context) => {
    const need = needs.find(({ actions }) => actions.includes(action.action))
    if (need !== undefined && (action[need.field] ?? undefined) === undefined) {
      context.addIssue({ code: 'custom', path: [need.field], message: 'is missing' })
    }
  })
  .meta({ anyOf: alternativeActions() })
export type CommitAction = z.output<typeof CommitAction>

/** Forms cannot send an empty list, and some clients number the elements: `actions[0][action]`. */
function readActions(value: unknown): unknown {
  if (value === '') return []
  if (Array.isArray(value)) {
    return shortList(value, maxActions)?.filter((entry) => entry !== '')
  }
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => /^\d{1,6}$/.test(name))
    ? Object.values(value)
    : value
}

/** The actions of a commit, applied in order; an empty list creates an empty commit. */
export const CommitActions = z.preprocess(
  readActions,
  z.array(CommitAction).max(maxActions),
) as unknown as z.ZodArray<typeof CommitAction>
