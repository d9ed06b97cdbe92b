import { maskedSecret } from './masked-secret.ts'

/** The addresses of a comma-separated list, without the blanks around them. */
export function listedAddresses(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** The list with a mask for each password. */
export function withoutPasswords(text: string): string {
  return text.split(',').map(withoutPassword).join(',')
}

function withoutPassword(address: string): string {
  const url = URL.parse(address)
  if (url === null || url.password === '') return address
  url.password = maskedSecret
  return url.href
}

/** What is wrong with a list of addresses of a service: the end of a sentence. */
export function addressesProblem(text: string): string | undefined {
  for (const part of listedAddresses(text)) {
    const url = URL.parse(part)
    const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
    if (!isHttp || url.search !== '' || url.hash !== '') return 'is not a list of valid URLs'
    if (url.password === maskedSecret) return 'must have the passwords of all addresses'
  }
  return undefined
}
