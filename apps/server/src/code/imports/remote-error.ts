/** Why a remote cannot be imported, as a sentence for the user. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
}
