/** The `authorization` header for the credentials of a URL; none if it has none. */
export function basicAuth({ username, password }: Pick<URL, 'username' | 'password'>): {
  authorization?: string
} {
  if (username === '' && password === '') return {}
  const pair = `${decoded(username)}:${decoded(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
