/** How an error is logged. */
export interface ErrorDescription {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: ErrorDescription
}

/** Causes of causes. */
const maxDepth = 4
const maxLength = 10_000

/**
 * Describes an error for the log, without what libraries attach to it, such as headers of requests
 * and parameters of queries, and without credentials in the URLs that its message quotes.
 */
export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: maskSecrets(String(error)) }
  const { name, message, stack, cause } = error
  const code = 'code' in error ? error.code : undefined
  return {
    type: name,
    message: maskSecrets(message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(stack === undefined ? {} : { stack: maskSecrets(stack) }),
    ...(cause === undefined || depth >= maxDepth ? {} : { cause: describeError(cause, depth + 1) }),
  }
}

/** `https://user:secret@host/?private_token=secret` → `https://[masked]@host/?private_token=[masked]`. */
function maskSecrets(text: string): string {
  return text
    .slice(0, maxLength)
    .replace(/:\/\/[^\s/@]{1,300}@/g, '://[masked]@')
    .replace(
      /([?&](?:private_token|access_token|refresh_token|job_token|token|code|client_secret|password)=)[^&\s"'<>]{1,500}/g,
      '$1[masked]',
    )
}
