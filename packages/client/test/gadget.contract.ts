import {
  boolean,
  type Contract,
  clearableDate,
  date,
  endpoint,
  file,
  filledText,
  instant,
  integer,
  integerList,
  oneOf,
  oneOfList,
  optional,
  text,
  textList,
  textMap,
} from '@stithy/core'
import { z } from 'zod'

const Gadget = z.object({
  id: z.number(),
  name: z.string(),
  state: z.enum(['new', 'used']),
  owner: z.object({ username: z.string() }).nullable(),
})

const docs = { tag: 'Gadgets' }

/** One endpoint of each kind that a contract may describe. */
export const gadgetContract = {
  list: endpoint({
    method: 'GET',
    path: '/gadgets',
    query: z.object(
      optional({
        search: text(),
        iids: integerList(),
        labels: textList(),
        states: oneOfList(['new', 'used']),
        custom_attributes: textMap(),
        order_by: oneOf(['id', 'name']),
        archived: boolean(),
        since: instant(),
        /** Meets an option of the command line. */
        all: boolean(),
      }),
    ),
    paginated: true,
    response: { 200: z.array(Gadget) },
    auth: {},
    docs: { ...docs, summary: 'List gadgets' },
  }),
  show: endpoint({
    method: 'GET',
    path: '/gadgets/:id',
    response: { 200: Gadget },
    auth: {},
    docs: { ...docs, summary: 'Show a gadget' },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/gadgets',
    params: z.object({ id: integer({ min: 1 }) }),
    body: z.object({
      name: filledText(),
      ...optional({
        due_date: clearableDate(),
        first_day: date(),
        labels: textList(),
        weight: integer({ min: 0, max: 9 }),
        /** These two meet options of the command line. */
        url: text(),
        token: text(),
      }),
      parts: z.array(z.object({ name: z.string() })).optional(),
    }),
    response: { 201: Gadget },
    auth: {},
    errors: ['validation_failed'],
    docs: { ...docs, summary: 'Create a gadget', description: 'Its `name` must be free.' },
  }),
  upload: endpoint({
    method: 'POST',
    path: '/gadgets/:id/files',
    body: z.object({ file: file(), note: text().optional(), tags: textList().optional() }),
    response: { 201: z.object({ size: z.number() }) },
    auth: {},
    docs: { ...docs, summary: 'Attach a file' },
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/gadgets/:id',
    query: z.object({ hard: boolean().default(false) }),
    response: { 204: null },
    auth: {},
    docs: { ...docs, summary: 'Delete a gadget' },
  }),
  raw: endpoint({
    method: 'GET',
    path: '/gadgets/:id/files/:file_path/raw',
    kind: 'raw',
    response: { 200: null },
    auth: {},
    docs: { ...docs, summary: 'Read a file' },
  }),
} satisfies Contract

/** A resource and an action whose names have several words. */
export const wordContract = {
  listOld: endpoint({
    method: 'GET',
    path: '/words/old',
    response: { 200: z.array(z.string()) },
    auth: 'public',
    docs: { tag: 'Words', summary: 'List old words' },
  }),
} satisfies Contract

export const gadgetRegistry = { gadgets: gadgetContract, rareWords: wordContract }
export type GadgetRegistry = typeof gadgetRegistry
