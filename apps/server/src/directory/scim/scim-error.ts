/** The kinds of errors with status 400 and 409 (RFC 7644, section 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness'

/** An error in the shape that SCIM clients know. */
export class ScimError extends Error {
  override readonly name = 'ScimError'
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

/** A value of the wrong type, too long, or not allowed. */
export function invalidValue(detail: string): ScimError {
  return new ScimError(400, detail, 'invalidValue')
}

/** The group has no such user, whoever else may have that id. */
export function noSuchUser(): ScimError {
  return new ScimError(404, 'The user was not found.')
}

/** Another user has this value. */
export function notUnique(detail: string): ScimError {
  return new ScimError(409, detail, 'uniqueness')
}
