import { type Client, type ClientOptions, createClientFor } from '@stithy/client'
import { type Contract, type Contracts, contracts } from '@stithy/core'

/** An endpoint without what is sent and answered: who may call it depends on its path alone. */
type Permission<E> = Pick<
  E,
  keyof E & ('name' | 'legacy' | 'method' | 'path' | 'params' | 'auth' | 'docs')
> & {
  response: { 204: null }
}

type PermissionsOf<C extends Contract> = { readonly [Name in keyof C]: Permission<C[Name]> }

type Permissions = { readonly [Name in keyof Contracts]: PermissionsOf<Contracts[Name]> }

/**
 * Asks the API whether it would let the viewer make a call, by the names of the calls. Nothing is
 * done; a call that would be refused is, with the same error.
 */
export type Permits = Client<Permissions>

const permissions = Object.fromEntries(
  Object.entries(contracts).map(([name, contract]) => [name, permissionsOf(contract)]),
) as unknown as Permissions

function permissionsOf(contract: Contract): Contract {
  return Object.fromEntries(
    Object.entries(contract).map(([action, { name, legacy, method, path, params, auth, docs }]) => [
      action,
      {
        ...{ name, method, path, auth, docs, response: { 204: null } },
        ...(legacy === undefined ? {} : { legacy }),
        ...(params === undefined ? {} : { params }),
      },
    ]),
  )
}

/** @param options its `fetch` marks each request as one that is to be authorized, but not made */
export function createPermits(options: ClientOptions): Permits {
  return createClientFor(permissions, options)
}
