/** The mode of a file whose content is the path of another one. */
export const symbolicLink = '120000'
