import { z } from 'zod'
import { dateTime } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import {
  boolean,
  file,
  integer,
  nonEmptyText,
  oneOf,
  optional,
  paid,
  text,
  textMap,
} from '../../platform/contract/fields.ts'
import {
  emailText,
  maxProseLength,
  nameText,
  pathText,
  shortText,
} from '../../platform/contract/text-options.ts'
import { maxPasswordLength, minPasswordLength } from './user.rules.ts'
import { AdminUser, AdminUserDetails, CurrentUser, UserProfile, UserRef } from './user.schema.ts'

const one = z.object({ id: integer({ min: 1 }) })
const administer = { on: 'instance', ability: 'administer' } as const
const reading = { scope: ['api', 'read_user'] } as const

/** Maximum of an integer column in both databases. */
const maxInteger = 2 ** 31 - 1

export const userOrders = ['id', 'name', 'username', 'created_at', 'updated_at'] as const
export type UserOrder = (typeof userOrders)[number]

const listQuery = z.object(
  optional({
    search: text(),
    username: text(),
    active: boolean(),
    blocked: boolean(),
    order_by: oneOf(userOrders),
    sort: oneOf(['asc', 'desc']),
    two_factor: oneOf(['enabled', 'disabled']),
    extern_uid: text(),
    provider: text(),
    external: boolean(),
    created_before: dateTime(),
    created_after: dateTime(),
    custom_attributes: textMap(),
    with_custom_attributes: boolean(),
  }),
)

const settings = optional({
  skype: text(shortText),
  linkedin: text(shortText),
  twitter: text(shortText),
  website_url: text(shortText),
  organization: text(shortText),
  projects_limit: integer({ min: 0, max: maxInteger }),
  extern_uid: text(shortText),
  provider: text(shortText),
  bio: text(shortText),
  location: text(shortText),
  public_email: text(emailText),
  admin: boolean(),
  can_create_group: boolean(),
  external: boolean(),
  avatar: file(),
  private_profile: boolean(),
  note: paid(text({ max: maxProseLength })),
  shared_runners_minutes_limit: paid(integer({ min: 0, max: maxInteger })),
  extra_shared_runners_minutes_limit: paid(integer({ min: 0, max: maxInteger })),
})

/** The identity at another provider. */
const identity = { allOrNoneOf: ['extern_uid', 'provider'] } as const

const passwordNeeded = {
  atLeastOneOf: ['password', 'reset_password', 'force_random_password'],
  message: 'password, reset_password are missing, at least one parameter must be provided',
} as const

/** Users. */
export const usersContract = {
  list: endpoint({
    name: 'users.list',
    method: 'GET',
    path: '/users',
    query: listQuery,
    constraints: [identity],
    paginated: true,
    response: { 200: z.array(z.union([AdminUser, UserRef])) },
    auth: reading,
    docs: {
      summary: 'List users',
      description:
        'Ordering, and filters other than `search`, `username`, `active` and `blocked`, are ' +
        'for administrators. `search` matches parts of names and usernames, and whole e-mail ' +
        'addresses; for administrators parts of e-mail addresses as well.',
    },
  }),
  show: endpoint({
    name: 'users.show',
    method: 'GET',
    path: '/users/:id',
    params: one,
    query: z.object(optional({ with_custom_attributes: boolean() })),
    response: { 200: z.union([AdminUserDetails, UserProfile]) },
    auth: reading,
    errors: ['not_found'],
    docs: { summary: 'Show a user' },
  }),
  create: endpoint({
    name: 'users.create',
    method: 'POST',
    path: '/users',
    body: z.object({
      email: nonEmptyText(emailText),
      username: nonEmptyText(pathText),
      name: nonEmptyText(nameText),
      ...optional({
        password: text({ rules: { minLength: minPasswordLength, maxLength: maxPasswordLength } }),
        reset_password: boolean(),
        force_random_password: boolean(),
        skip_confirmation: boolean(),
      }),
      ...settings,
    }),
    constraints: [identity, passwordNeeded],
    response: { 201: AdminUser },
    auth: administer,
    errors: ['conflict', 'validation_failed'],
    docs: {
      summary: 'Create a user',
      description:
        '`password` is required, unless `reset_password` or `force_random_password` is true: ' +
        'then the account has no password until one is set.',
    },
  }),
  update: endpoint({
    name: 'users.update',
    method: 'PUT',
    path: '/users/:id',
    params: one,
    body: z.object({
      ...optional({
        email: text(emailText),
        username: text(pathText),
        name: text(nameText),
        password: text({ rules: { minLength: minPasswordLength, maxLength: maxPasswordLength } }),
        skip_reconfirmation: boolean(),
      }),
      ...settings,
    }),
    constraints: [identity],
    response: { 200: AdminUser },
    auth: administer,
    errors: ['not_found'],
    docs: {
      summary: 'Update a user',
      description:
        'Every refusal returns 404. A new password ends all sessions of the user, who must ' +
        'choose another one at the next sign-in.',
    },
  }),
  delete: endpoint({
    name: 'users.delete',
    method: 'DELETE',
    path: '/users/:id',
    params: one,
    query: z.object(optional({ hard_delete: boolean() })),
    response: { 204: null },
    auth: administer,
    errors: ['not_found', 'conflict', 'precondition_failed'],
    docs: {
      summary: 'Delete a user',
      description:
        'In the background, together with the personal projects. Contributions are moved to ' +
        'the ghost user. `hard_delete` deletes contributions and solely owned groups as well; ' +
        'without it, solely owned groups return 409.',
    },
  }),
  current: endpoint({
    name: 'users.current',
    method: 'GET',
    path: '/user',
    response: { 200: z.union([AdminUser, CurrentUser]) },
    auth: reading,
    docs: { summary: 'Show the current user' },
  }),
  block: endpoint({
    name: 'users.block',
    method: 'POST',
    path: '/users/:id/block',
    params: one,
    response: { 201: z.boolean() },
    auth: administer,
    errors: ['not_found', 'forbidden'],
    docs: { summary: 'Block a user', description: 'Ends all sessions of the user.' },
  }),
  unblock: endpoint({
    name: 'users.unblock',
    method: 'POST',
    path: '/users/:id/unblock',
    params: one,
    response: { 201: z.boolean() },
    auth: administer,
    errors: ['not_found', 'forbidden'],
    docs: { summary: 'Unblock a user' },
  }),
}
