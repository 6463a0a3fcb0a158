/** What the processes of a chaos run inherit: where programs are, and nothing that changes the service. */
export const inherited: Readonly<NodeJS.ProcessEnv> = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
