extension NameList {
    /// Vietnamese names.
    ///
    /// The names have all diacritics in composed form: a letter with two marks is one code point.
    static let vietnamese = NameList(
        code: "vi",
        givenNames: [
            "An", "Anh", "Ánh", "Bảo", "Bích", "Bình", "Chi", "Châu", "Chiến", "Công", "Cường", "Cúc", "Đại",
            "Đan", "Đạt", "Diễm", "Diệp", "Dũng", "Dung", "Dương", "Duy", "Duyên", "Đào", "Đông", "Đức",
            "Giang", "Hà", "Hải", "Hằng", "Hạnh", "Hào", "Hiền", "Hiếu", "Hoa", "Hòa", "Hoài", "Hoàng", "Hồng",
            "Huệ", "Hùng", "Hương", "Hường", "Huy", "Huyền", "Khánh", "Khoa", "Khôi", "Kiên", "Kiều", "Kim",
            "Lam", "Lan", "Lâm", "Liên", "Linh", "Loan", "Lộc", "Long", "Ly", "Mai", "Mạnh", "Minh", "My",
            "Mỹ", "Nam", "Nga", "Ngân", "Nghĩa", "Ngọc", "Nguyệt", "Nhàn", "Nhân", "Nhật", "Nhi", "Nhung",
            "Như", "Oanh", "Phát", "Phong", "Phú", "Phúc", "Phương", "Phượng", "Quân", "Quang", "Quỳnh",
            "Quyên", "Quyết", "Sơn", "Tài", "Tâm", "Tân", "Thắng", "Thanh", "Thành", "Thảo", "Thịnh", "Thơ",
            "Thu", "Thư", "Thúy", "Thủy", "Tiến", "Toàn", "Trà", "Trang", "Trâm", "Trí", "Trinh", "Trung",
            "Tú", "Tuấn", "Tuyết", "Uyên", "Vân", "Việt", "Vinh", "Vy", "Xuân", "Yến",
        ],
        familyNames: [
            "Nguyễn", "Trần", "Lê", "Phạm", "Hoàng", "Huỳnh", "Phan", "Vũ", "Võ", "Đặng", "Bùi", "Đỗ", "Hồ",
            "Ngô", "Dương", "Lý", "An", "Âu", "Bạch", "Bành", "Biện", "Cao", "Chu", "Châu", "Chung", "Cù",
            "Diệp", "Doãn", "Đàm", "Đào", "Đậu", "Điền", "Đinh", "Đoàn", "Đồng", "Đường", "Giang", "Giáp",
            "Hà", "Hàn", "Hứa", "Hồng", "Khổng", "Khuất", "Khúc", "Kiều", "Kim", "La", "Lạc", "Lã", "Lâm",
            "Lại", "Lương", "Lư", "Lưu", "Ma", "Mạc", "Mã", "Mai", "Mạch", "Mẫn", "Nghiêm", "Ngụy", "Nhan",
            "Nhâm", "Ninh", "Nông", "Ông", "Phó", "Phí", "Phù", "Phùng", "Quách", "Quan", "Quản", "Sầm", "Sử",
            "Tạ", "Tăng", "Tất", "Tiêu", "Thạch", "Thái", "Thân", "Thẩm", "Thiều", "Tô", "Tôn", "Tống",
            "Trang", "Triệu", "Trịnh", "Trương", "Từ", "Ung", "Uông", "Văn", "Vi", "Viên", "Vương", "Xa",
        ]
    )
}
