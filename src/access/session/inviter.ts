/** Joins who made the member invitation `i`, where that was a member. */
export const inviter = `
    LEFT JOIN membership im ON im.business_id = i.business_id AND im.id = i.invited_by->>'membership_id'
    LEFT JOIN app_user iu ON iu.id = im.user_id`;

/** Who that is, by name, or by address where no name is known. */
export const inviterName = `coalesce(nullif(concat_ws(' ', iu.first_name, iu.last_name), ''), iu.email)`;
