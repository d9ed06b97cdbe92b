import {
  boolean,
  type Contract,
  clearableDate,
  date,
  dateTime,
  endpoint,
  file,
  integer,
  integerList,
  nonEmptyText,
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

/** One endpoint of each kind that a contract may describe. */
export const gadgetContract = {
  list: endpoint({
    name: 'gadgets.list',
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
        since: dateTime(),
        /** Conflicts with an option of the command line. */
        all: boolean(),
      }),
    ),
    paginated: true,
    response: { 200: z.array(Gadget) },
    auth: {},
    docs: { summary: 'List gadgets' },
  }),
  listOfGroup: endpoint({
    name: 'gadgets.list',
    method: 'GET',
    path: '/groups/:id/gadgets',
    query: z.object(
      optional({ search: text(), order_by: oneOf(['id', 'name', 'depth']), deep: boolean() }),
    ),
    paginated: true,
    response: { 200: z.array(Gadget) },
    auth: {},
    docs: { summary: 'List gadgets of a group' },
  }),
  statistics: endpoint({
    name: 'gadgets.statistics',
    method: 'GET',
    path: '/gadgets_statistics',
    response: { 200: z.object({ total: z.number() }) },
    auth: {},
    docs: { summary: 'Show statistics of gadgets' },
  }),
  statisticsOfGroup: endpoint({
    name: 'gadgets.statistics',
    method: 'GET',
    path: '/groups/:id/gadgets_statistics',
    response: { 200: z.object({ total: z.number(), deep: z.number() }) },
    auth: {},
    docs: { summary: 'Show statistics of gadgets of a group' },
  }),
  show: endpoint({
    name: 'gadgets.show',
    method: 'GET',
    path: '/gadgets/:id',
    response: { 200: Gadget },
    auth: {},
    docs: { summary: 'Show a gadget' },
  }),
  create: endpoint({
    name: 'gadgets.create',
    method: 'POST',
    path: '/projects/:id/gadgets',
    params: z.object({ id: integer({ min: 1 }) }),
    body: z.object({
      name: nonEmptyText(),
      ...optional({
        due_date: clearableDate(),
        first_day: date(),
        labels: textList(),
        weight: integer({ min: 0, max: 9 }),
        /** These two conflict with options of the command line. */
        url: text(),
        token: text(),
      }),
      parts: z.array(z.object({ name: z.string() })).optional(),
    }),
    response: { 201: Gadget },
    auth: {},
    errors: ['validation_failed'],
    docs: { summary: 'Create a gadget', description: 'Its `name` must be free.' },
  }),
  upload: endpoint({
    name: 'gadgets.files.create',
    method: 'POST',
    path: '/gadgets/:id/files',
    body: z.object({ file: file(), note: text().optional(), tags: textList().optional() }),
    response: { 201: z.object({ size: z.number() }) },
    auth: {},
    docs: { summary: 'Attach a file' },
  }),
  delete: endpoint({
    name: 'gadgets.delete',
    method: 'DELETE',
    path: '/gadgets/:id',
    query: z.object({ hard: boolean().default(false) }),
    response: { 204: null },
    auth: {},
    docs: { summary: 'Delete a gadget' },
  }),
  deleteFromGroup: endpoint({
    name: 'gadgets.delete',
    method: 'DELETE',
    path: '/groups/:id/gadgets/:gadget_id',
    response: { 204: null },
    auth: {},
    docs: { summary: 'Delete a gadget from a group' },
  }),
  deleteByName: endpoint({
    name: 'gadgets.delete',
    legacy: true,
    method: 'DELETE',
    path: '/gadgets',
    query: z.object({ name: text() }),
    response: { 204: null },
    auth: {},
    docs: { summary: 'Delete a gadget by its name' },
  }),
  raw: endpoint({
    name: 'gadgets.files.raw',
    method: 'GET',
    path: '/gadgets/:id/files/:file_path/raw',
    kind: 'raw',
    response: { 200: null },
    auth: {},
    docs: { summary: 'Read a file' },
  }),
} satisfies Contract

/** A resource and an action with names of several words. */
export const wordContract = {
  listOld: endpoint({
    name: 'rareWords.listOld',
    method: 'GET',
    path: '/words/old',
    response: { 200: z.array(z.string()) },
    auth: 'public',
    docs: { summary: 'List old words' },
  }),
} satisfies Contract

export const gadgetRegistry = { gadgets: gadgetContract, rareWords: wordContract }
export type GadgetRegistry = typeof gadgetRegistry
