/** What the Prisma command line gets; it reads its settings from nowhere else. */
export const environment: Readonly<NodeJS.ProcessEnv> = process.env;
