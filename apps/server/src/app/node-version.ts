/** Node.js with argon2 in `node:crypto`. */
const [neededMajor, neededMinor] = [24, 7]

/** Why the program can't run on this version of Node.js; undefined if it can. */
export function nodeVersionProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined
  return (
    `Stithy needs Node.js ${neededMajor}.${neededMinor} or later, and this is ${version}: ` +
    'start it with a newer one, or with "npx -y pnpm@12 start" in its folder, which installs one.'
  )
}
