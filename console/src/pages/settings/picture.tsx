import { useEffect, useRef, useState } from 'react';
import { bytesOf } from './logo-file.ts';

interface PictureProps {
  /** PNG or JPEG, in base64. */
  readonly content: string;
  readonly label: string;
  /** Stands in its place where the browser cannot read it. */
  readonly otherwise: string;
}

/** A picture that is at no address of this server. It is drawn, since the policy admits no picture from elsewhere. */
export function Picture({ content, label, otherwise }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  useEffect(() => {
    let left = false;
    const draw = async () => {
      const picture = await createImageBitmap(new Blob([bytesOf(content)]));
      const { current } = canvas;
      if (!left && current !== null) {
        [current.width, current.height] = [picture.width, picture.height];
        current.getContext('2d')?.drawImage(picture, 0, 0);
      }
      picture.close();
    };
    draw().catch(() => {
      if (!left) setUnreadable(content);
    });
    return () => {
      left = true;
    };
  }, [content]);
  if (unreadable === content) return <p className="muted">{otherwise}</p>;
  return (
    <canvas ref={canvas} className="picture" role="img" aria-label={label} width={0} height={0} />
  );
}
