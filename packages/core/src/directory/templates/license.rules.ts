/** What the placeholders of licenses stand for. */
export interface LicenseValues {
  year: string
  project?: string | undefined
  fullname?: string | undefined
}

/** As the licenses have them; each of their bodies is one of a few words. */
const placeholders =
  /[[<](?:(year|yyyy)|(project|program|one line to give the program's name and a brief idea of what it does\.)|(fullname|name of author|name of copyright owner))[\]>]/g

/** Fills the placeholders of a license; those without a value stay. */
export function fillLicense(content: string, { year, project, fullname }: LicenseValues): string {
  return content.replace(
    placeholders,
    (placeholder, isYear?: string, isProject?: string, isFullname?: string) => {
      const value = (isYear && year) || (isProject && project) || (isFullname && fullname)
      return value || placeholder
    },
  )
}
