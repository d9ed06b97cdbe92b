import { z } from 'zod'
import { instant } from '../contract/date-fields.ts'
import { endpoint } from '../contract/endpoint.ts'
import {
  boolean,
  file,
  filledText,
  integer,
  oneOf,
  optional,
  paid,
  text,
  textMap,
} from '../contract/fields.ts'
import { AdminUser, AdminUserDetails, CurrentUser, UserProfile, UserRef } from './user.schema.ts'

const tag = 'Users'
const one = z.object({ id: integer({ min: 1 }) })
const administer = { on: 'instance', ability: 'administer' } as const
const reading = { scope: ['api', 'read_user'] } as const

/** The largest number that an integer column of both databases holds. */
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
    created_before: instant(),
    created_after: instant(),
    custom_attributes: textMap(),
    with_custom_attributes: boolean(),
  }),
)

const settings = optional({
  skype: text(),
  linkedin: text(),
  twitter: text(),
  website_url: text(),
  organization: text(),
  projects_limit: integer({ min: 0, max: maxInteger }),
  extern_uid: text(),
  provider: text(),
  bio: text(),
  location: text(),
  public_email: text(),
  admin: boolean(),
  can_create_group: boolean(),
  external: boolean(),
  avatar: file(),
  private_profile: boolean(),
  note: paid(text()),
  shared_runners_minutes_limit: paid(integer({ min: 0, max: maxInteger })),
  extra_shared_runners_minutes_limit: paid(integer({ min: 0, max: maxInteger })),
})

/** Users (document 3, Users; catalogue: users). */
export const usersContract = {
  list: endpoint({
    method: 'GET',
    path: '/users',
    query: listQuery,
    paginated: true,
    response: { 200: z.array(z.union([AdminUser, UserRef])) },
    auth: reading,
    docs: {
      summary: 'List users',
      tag,
      description:
        'Only administrators may order, and filter by more than `search`, `username`, `active` ' +
        'and `blocked`. `search` looks for parts of names, and for e-mail addresses: whole ones, ' +
        'or parts of them where an administrator asks.',
    },
  }),
  show: endpoint({
    method: 'GET',
    path: '/users/:id',
    params: one,
    query: z.object(optional({ with_custom_attributes: boolean() })),
    response: { 200: z.union([AdminUserDetails, UserProfile]) },
    auth: reading,
    errors: ['not_found'],
    docs: { summary: 'Show a user', tag },
  }),
  create: endpoint({
    method: 'POST',
    path: '/users',
    body: z.object({
      email: filledText(),
      username: filledText(),
      name: filledText(),
      ...optional({
        password: text(),
        reset_password: boolean(),
        force_random_password: boolean(),
        skip_confirmation: boolean(),
      }),
      ...settings,
    }),
    response: { 201: AdminUser },
    auth: administer,
    errors: ['conflict', 'validation_failed'],
    docs: {
      summary: 'Create a user',
      tag,
      description:
        'Needs `password`, unless `reset_password` or `force_random_password` is true: then the ' +
        'account has no password until one is set.',
    },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/users/:id',
    params: one,
    body: z.object({
      ...optional({
        email: text(),
        username: text(),
        name: text(),
        password: text(),
        skip_reconfirmation: boolean(),
      }),
      ...settings,
    }),
    response: { 200: AdminUser },
    auth: administer,
    errors: ['not_found'],
    docs: {
      summary: 'Edit a user',
      tag,
      description:
        'Every refusal answers 404. A new password ends the sessions of the user, who has to ' +
        'choose another one at the next sign-in.',
    },
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/users/:id',
    params: one,
    query: z.object(optional({ hard_delete: boolean() })),
    response: { 204: null },
    auth: administer,
    errors: ['not_found', 'conflict', 'precondition_failed'],
    docs: {
      summary: 'Delete a user with the personal projects, in the background',
      tag,
      description:
        'What the user wrote moves to the ghost user. With `hard_delete` it goes as well, and so ' +
        'do groups that nobody else owns; without, owning such a group is a conflict.',
    },
  }),
  current: endpoint({
    method: 'GET',
    path: '/user',
    response: { 200: z.union([AdminUser, CurrentUser]) },
    auth: reading,
    docs: { summary: 'Show the current user', tag },
  }),
  block: endpoint({
    method: 'POST',
    path: '/users/:id/block',
    params: one,
    response: { 201: z.boolean() },
    auth: administer,
    errors: ['not_found', 'forbidden'],
    docs: { summary: 'Block a user and end the sessions', tag },
  }),
  unblock: endpoint({
    method: 'POST',
    path: '/users/:id/unblock',
    params: one,
    response: { 201: z.boolean() },
    auth: administer,
    errors: ['not_found', 'forbidden'],
    docs: { summary: 'Let a blocked user in again', tag },
  }),
}
