import type { ReactNode } from 'react';

interface SpecimenProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of the gallery, of which a picture is compared by itself. */
export function Specimen({ title, children }: SpecimenProps) {
  return (
    <section className="specimen" data-specimen={title} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
